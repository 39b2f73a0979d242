extension Scenario {
  /// Every job, in the order of the report.
  static let all = [
    Scenario(
      name: "Attributes", title: "six attributes, four of them computed",
      goal: .from([1_000_000: 0.30, 10_000_000: 0.25])),
    Scenario(
      name: "AttributesPolicy", title: "six attributes, a policy's code on every row",
      goal: .from([1_000_000: 0.35])),
    Scenario(
      name: "Graph", title: "five entities, to-one and many-to-many, three indexes",
      goal: .from([1_000_000: 0.30]), peakGoal: 40),
    Scenario(
      name: "Hierarchy", title: "two entities in their parent's table, to-one, three indexes",
      peakGoal: 40),
    Scenario(
      name: "TextIndexes", title: "six attributes, two text indexes", goal: .everywhere(0.40),
      peakGoal: 40),
    Scenario(
      name: "Overflow", title: "texts and blobs of 0.3 to 16 kB, a hundredth of the objects",
      goal: .everywhere(0.50), share: 100),
    Scenario(
      name: "Import", isPlain: true, title: "plain table, two objects of each row",
      goal: .everywhere(0.50), peakGoal: 40),
    Scenario(
      name: "ImportScript", folderName: "Import", isPlain: true,
      title: "plain table, two objects of each row", yardstick: .script, peakGoal: 40),
    Scenario(
      name: "Associations", title: "to-one through associations on disk", goal: .everywhere(0.60),
      peakGoal: 40, expectedCount: { $0 - $0 / 2 }),
    Scenario(
      name: "Merge", title: "a text becomes an object that rows share", goal: .everywhere(1.5),
      peakGoal: 64),
    Scenario(
      name: "Elements", title: "comma lists become objects that rows share",
      goal: .everywhere(1.5), peakGoal: 64),
    Scenario(
      name: "RowCopy", title: "a policy that copies", yardstick: .plainLoop,
      goal: .everywhere(0.70)),
    Scenario(name: "RowEveryHook", title: "a policy with every hook", yardstick: .plainLoop),
    Scenario(name: "RowDate", title: "a policy that prints a date"),
    Scenario(
      name: "AttributesSQL", folderName: "Attributes", title: "six attributes, by SQL",
      lane: "set", goal: .everywhere(1.25)),
    Scenario(
      name: "Small", title: "2,000 objects, two passes, whole process", fixedSize: 2_000),
  ]
}
