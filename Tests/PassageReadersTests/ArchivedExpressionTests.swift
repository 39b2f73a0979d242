import PassageDiagnostics
import PassageExpressions
import PassageModels
import PassageReaders
import PassageStores
import Testing

/// Expressions and predicates as compiled models keep them: derivations, validation, partial indexes.
struct ArchivedExpressionTests {
  /// Makes archived expressions.
  struct Maker {
    var builder = ArchiveBuilder()

    mutating func keyPath(_ path: String) -> PropertyList {
      let text = builder.text(path)
      let specifier = builder.add(
        "NSKeyPathSpecifierExpression", inherits: ["NSExpression"],
        [("NSExpressionType", .integer(10)), ("NSKeyPath", text)])
      let operand = builder.add("NSSelfExpression", [("NSExpressionType", .integer(1))])
      return call("valueForKeyPath:", on: operand, [specifier], class: "NSKeyPathExpression")
    }

    mutating func constant(_ value: PropertyList) -> PropertyList {
      builder.add(
        "NSConstantValueExpression",
        [("NSExpressionType", .integer(0)), ("NSConstantValue", value)])
    }

    mutating func variable(_ name: String) -> PropertyList {
      let text = builder.text(name)
      return builder.add(
        "NSVariableExpression", [("NSExpressionType", .integer(2)), ("NSVariable", text)])
    }

    /// A predefined function.
    mutating func function(_ selector: String, _ arguments: [PropertyList]) -> PropertyList {
      let holder = builder.text("_NSPredicateUtilities")
      let operand = builder.add(
        "NSConstantValueExpression",
        [("NSExpressionType", .integer(0)), ("NSConstantValueClassName", holder)])
      return call(selector, on: operand, arguments, class: "NSFunctionExpression")
    }

    mutating func call(
      _ selector: String, on operand: PropertyList, _ arguments: [PropertyList],
      class name: String = "NSFunctionExpression"
    ) -> PropertyList {
      let selector = builder.text(selector)
      let arguments = builder.array(arguments, "NSMutableArray")
      return builder.add(
        name, inherits: ["NSExpression"],
        [
          ("NSExpressionType", .integer(4)), ("NSOperand", operand),
          ("NSSelectorName", selector), ("NSArguments", arguments),
        ])
    }

    mutating func comparison(
      _ left: PropertyList, _ type: Int64, _ right: PropertyList, options: Int64 = 0
    ) -> PropertyList {
      let operation = builder.add(
        "NSComparisonPredicateOperator",
        [
          ("NSOperatorType", .integer(type)), ("NSModifier", .integer(0)),
          ("NSOptions", .integer(options)),
        ])
      return builder.add(
        "NSComparisonPredicate", inherits: ["NSPredicate"],
        [
          ("NSLeftExpression", left), ("NSRightExpression", right),
          ("NSPredicateOperator", operation),
        ])
    }

    mutating func compound(_ type: Int64, _ parts: [PropertyList]) -> PropertyList {
      let parts = builder.array(parts)
      return builder.add(
        "NSCompoundPredicate", inherits: ["NSPredicate"],
        [("NSCompoundPredicateType", .integer(type)), ("NSSubpredicates", parts)])
    }
  }

  private func text(_ make: (inout Maker) -> PropertyList) throws -> String {
    var maker = Maker()
    let root = make(&maker)
    let archive = try KeyedArchive(maker.builder.archive(root: root))
    var decoder = ArchivedExpressionDecoder(KeyedUnarchiver(archive))
    return "\(try decoder.expression(archive.root()))"
  }

  private func predicate(_ make: (inout Maker) -> PropertyList) throws -> String {
    var maker = Maker()
    let root = make(&maker)
    let archive = try KeyedArchive(maker.builder.archive(root: root))
    var decoder = ArchivedExpressionDecoder(KeyedUnarchiver(archive))
    return "\(try decoder.predicate(archive.root()))"
  }

  @Test func `expressions print as they are written`() throws {
    #expect(try text { $0.keyPath("primaryLabel.code") } == "primaryLabel.code")
    #expect(try text { $0.function("now", []) } == "now()")
    #expect(try text { $0.function("count:", [$0.keyPath("pages")]) } == "count:(pages)")
    #expect(try text { $0.constant(.integer(3)) } == "3")
    #expect(try text { $0.constant($0.builder.text("a")) } == "\"a\"")
    #expect(try text { $0.constant(ArchiveBuilder.null) } == "nil")
    #expect(try text { $0.variable("source") } == "$source")
    #expect(
      try text { $0.call("add:", on: $0.variable("entityPolicy"), [$0.constant(.integer(1))]) }
        == "FUNCTION($entityPolicy, \"add:\", 1)")
  }

  @Test func `constants of one value are written as that value`() throws {
    #expect(
      try text { $0.constant($0.builder.add("NSDate", [("NS.time", .real(-1.5))])) }
        == "CAST(-1.5, \"NSDate\")")
    #expect(try text { $0.constant($0.builder.add(.date(0))) } == "CAST(0.0, \"NSDate\")")
    #expect(try text { $0.constant($0.builder.add("NSNull", [])) } == "nil")
    let decimal: [(String, PropertyList)] = [
      ("NS.mantissa", .data([15, 0] + [UInt8](repeating: 0, count: 14))),
      ("NS.length", .integer(1)),
      ("NS.exponent", .integer(-1)), ("NS.negative", .bool(true)), ("NS.mantissa.bo", .integer(1)),
    ]
    #expect(
      try text { $0.constant($0.builder.add("NSDecimalNumber", inherits: ["NSNumber"], decimal)) }
        == "-1.5")
    #expect(throws: KeyedArchiveError.self) {
      try text { $0.constant($0.builder.add("NSColor", [])) }
    }
  }

  @Test func `predicates print as they are written`() throws {
    #expect(
      try predicate { $0.comparison($0.keyPath("a"), 3, $0.constant(.integer(1))) } == "a >= 1")
    #expect(
      try predicate {
        let one = $0.comparison($0.keyPath("a"), 99, $0.constant($0.builder.text("x")), options: 3)
        let two = $0.comparison($0.keyPath("b"), 5, $0.constant(ArchiveBuilder.null))
        return $0.compound(2, [one, $0.compound(0, [two])])
      } == "a CONTAINS[cd] \"x\" OR NOT b != nil")
    #expect(try predicate { $0.builder.add("NSTruePredicate", []) } == "TRUEPREDICATE")
  }

  @Test(arguments: [("pages", "count:(pages)"), ("$now", "now()"), ("label.code", "label.code")])
  func `a derived attribute's expression is what its hash is made of`(
    _ path: String, _ derivation: String
  ) throws {
    var archive = ArchivedModel()
    var maker = Maker(builder: archive.builder)
    let expression =
      switch path {
      case "$now": maker.function("now", [])
      case "pages": maker.function("count:", [maker.keyPath(path)])
      default: maker.keyPath(path)
      }
    archive.builder = maker.builder
    let attribute = archive.attribute(
      "d", 300, [("NSDerivationExpression", expression)], class: "NSDerivedAttributeDescription")
    archive.entity("E", properties: [attribute])
    let model = try archive.read().model
    let entity = try #require(model.entity(named: "E"))
    #expect(entity.attributes.first?.derivation == derivation)
    let written = Model(
      name: "M",
      entities: [
        Entity(
          name: "E",
          attributes: [
            Attribute(
              name: "d", type: .integer64,
              derivation: derivation == "count:(pages)" ? "pages.@count" : derivation)
          ])
      ])
    #expect(model.versionHashes == written.versionHashes)
  }

  @Test func `validation predicates are bounds and patterns`() throws {
    var archive = ArchivedModel()
    var maker = Maker(builder: archive.builder)
    let own = maker.builder.add("NSSelfExpression", [("NSExpressionType", .integer(1))])
    let length = maker.keyPath("length")
    let pattern = maker.constant(maker.builder.text("[a-z]+"))
    let text = maker.builder.array([
      maker.comparison(length, 3, maker.constant(.integer(1))),
      maker.comparison(length, 1, maker.constant(.integer(9))),
      maker.comparison(own, 6, pattern),
    ])
    let number = maker.builder.array([
      maker.compound(
        1,
        [
          maker.comparison(own, 3, maker.constant(.real(0.5))),
          maker.comparison(own, 5, maker.constant(.integer(7))),
        ])
    ])
    archive.builder = maker.builder
    let properties = [
      archive.attribute("number", 500, [("NSValidationPredicates", number)]),
      archive.attribute("text", 700, [("NSValidationPredicates", text)]),
    ]
    archive.entity("E", properties: properties)
    let read = try archive.read()
    let attributes = try #require(read.model.entity(named: "E")).attributes
    #expect(attributes.map(\.minimum) == ["0.5", "1"])
    #expect(attributes.map(\.maximum) == [nil, "9"])
    #expect(attributes.map(\.regularExpression) == [nil, "[a-z]+"])
    #expect(
      read.remarks.all.map(\.message) == ["a validation of “E.number” is left out: SELF != 7"])
  }

  @Test func `a partial index keeps its predicate`() throws {
    var archive = ArchivedModel()
    let properties = [archive.attribute("a", 700)]
    var maker = Maker(builder: archive.builder)
    let condition = maker.comparison(maker.keyPath("a"), 5, maker.constant(ArchiveBuilder.null))
    archive.builder = maker.builder
    let element = archive.builder.add(
      "NSFetchIndexElementDescription",
      [("NSPropertyName", archive.builder.text("a")), ("NSAscending", .bool(true))])
    let index = archive.builder.add(
      "NSFetchIndexDescription",
      [
        ("NSIndexName", archive.builder.text("i")),
        ("NSIndexElements", archive.builder.array([element])),
        ("NSPartialIndexPredicate", condition),
      ])
    archive.entity(
      "E", properties: properties,
      [("NSFetchIndexDescriptions", archive.builder.array([index]))])
    let entity = try #require(try archive.read().model.entity(named: "E"))
    #expect(entity.indexes.first?.partialPredicate == "a != nil")
  }

  @Test func `a key path that is longer than a text that is parsed is refused`() throws {
    let limit = ArchivedExpressionDecoder.maximumKeyPathBytes
    let longest = String(repeating: "a", count: limit)
    #expect(try text { $0.keyPath(longest) } == longest)
    let error = #expect(throws: KeyedArchiveError.self) {
      try text { $0.keyPath(String(repeating: ".", count: limit + 1)) }
    }
    #expect(
      error == .wrongKind(key: "NSKeyPath", expected: "a key path of at most \(limit) bytes"))
  }

  @Test func `an expression that holds itself is refused`() throws {
    var builder = ArchiveBuilder()
    let root = builder.add(.string(""))
    let selector = builder.text("sum:")
    let arguments = builder.array([root])
    builder.set(
      root, "NSFunctionExpression", [("NSSelectorName", selector), ("NSArguments", arguments)])
    let archive = try KeyedArchive(builder.archive(root: root))
    var decoder = ArchivedExpressionDecoder(KeyedUnarchiver(archive))
    #expect(throws: KeyedArchiveError.tooDeep) { try decoder.expression(archive.root()) }
  }

  @Test func `expressions that double at every level are refused`() throws {
    var maker = Maker()
    var expression = maker.keyPath("a")
    for _ in 0..<60 { expression = maker.function("add:to:", [expression, expression]) }
    let archive = try KeyedArchive(maker.builder.archive(root: expression))
    var decoder = ArchivedExpressionDecoder(KeyedUnarchiver(archive))
    #expect(throws: KeyedArchiveError.tooLarge) { try decoder.expression(archive.root()) }
  }
}
