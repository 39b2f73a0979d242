import Passage
import PassageEngine
import PassageTesting
import TestSupport
import Testing

/// Objects made of the elements of lists, in every lane; what is expected is written by hand.
@Suite struct ElementsTests {
  private static let rows = Model(
    "1", [Entity("Row", [.text("title"), .text("tags"), .number("number")])])
  private static let tagged = Model(
    "2",
    [
      Entity("Row", [.text("title")], [.many("tags", "Tag", inverse: "rows")]),
      Entity("Tag", [.text("name"), .number("place")], [.many("rows", "Row", inverse: "tags")]),
    ])

  private static func fill(_ store: TestStore) throws {
    for (number, tags) in ["red,blue", "", nil, "blue,,red,blue", "green"].enumerated() {
      try store.insert(
        "Row",
        [
          "title": .text("row \(number + 1)"), "number": .integer(Int64(number)),
          "tags": tags.map { .text($0) } ?? .null,
        ])
    }
  }

  private static let toRows = """
    {"type": "transform", "source": "Row", "destination": "Row", "attributes": {"title": {}},
     "relationships": {"tags":
      "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'RowToTag', $source)"}}
    """

  @Test func `each element of a list becomes an object`() throws {
    let trial = try Trial(
      Self.rows, Self.tagged,
      [
        mapping(
          """
          {"type": "transform", "source": "Row", "destination": "Tag",
           "forEach": "split($source.tags, ',')",
           "attributes": {"name": "concatenate($element, '/', $source.title)", "place": "$index"}},
          \(Self.toRows)
          """)
      ], fill: Self.fill)
    let (contents, report) = try trial.migrate()
    let tags = contents["Tag"]
    #expect(
      tags.map { $0["name"] }
        == [
          "red/row 1", "blue/row 1", "blue/row 4", "red/row 4", "blue/row 4", "green/row 5",
        ])
    #expect(tags.map { $0["place"] } == [0, 1, 0, 1, 2, 0])
    #expect(contents["Row"].map { $0.keys("tags") } == [[1, 2], [], [], [3, 4, 5], [6]])
    let account = try #require(report.steps[0].mappings.first { $0.name == "RowToTag" })
    #expect((account.read, account.migrated, account.split, account.removed) == (5, 3, 3, 2))
  }

  @Test func `equal elements of all lists become one object`() throws {
    let trial = try Trial(
      Self.rows, Self.tagged,
      [
        mapping(
          """
          {"type": "transform", "source": "Row", "destination": "Tag", "filter": "number != 4",
           "forEach": "split($source.tags, ',')", "mergeBy": "$element",
           "attributes": {"name": "$element", "place": {"value": "$index", "combine": "max"}}},
          \(Self.toRows)
          """)
      ], fill: Self.fill)
    let (contents, report) = try trial.migrate()
    let tags = contents["Tag"]
    #expect(tags.map { $0["name"] } == ["red", "blue"])
    #expect(tags.map { $0["place"] } == [1, 2])
    #expect(tags.map { $0.keys("rows") } == [[1, 4], [1, 4]])
    let account = try #require(report.steps[0].mappings.first { $0.name == "RowToTag" })
    #expect(
      (account.read, account.filtered, account.migrated, account.split, account.merged)
        == (5, 1, 1, 1, 1))
    #expect(account.removed == 2)
    let whole = try StoreRows(path: trial.directory.path("new-0.sqlite"))
    for lane in [MigrationOptions.Lane.automatic, .row] {
      for name in try Interruptions.anyBatches(of: trial, lane: lane) {
        #expect(
          try StoreRows(path: trial.directory.path(name)).differences(from: whole) == [], "\(lane)")
      }
    }
  }

  @Test func `a many-to-many relationship becomes an entity`() throws {
    let source = Model(
      "1",
      [
        Entity(
          "Student", [.text("name")],
          [.many("courses", "Course", inverse: "students", isOrdered: true)]),
        Entity(
          "Course", [.text("title")],
          [.many("students", "Student", inverse: "courses"), .one("room", "Room")]),
        Entity("Room", [.text("name")]),
      ])
    let destination = Model(
      "2",
      [
        Entity(
          "Student", [.text("name")], [.many("enrollments", "Enrollment", inverse: "student")]),
        Entity("Course", [.text("title")], [.many("enrollments", "Enrollment", inverse: "course")]),
        Entity("Room", [.text("name")]),
        Entity(
          "Enrollment", [.text("label"), .number("place")],
          [
            .one("student", "Student", inverse: "enrollments"),
            .one("course", "Course", inverse: "enrollments"), .one("room", "Room"),
          ]),
      ])
    let trial = try Trial(
      source, destination,
      [
        mapping(
          """
          {"type": "copy", "source": "Student", "destination": "Student"},
          {"type": "transform", "source": "Student", "destination": "Enrollment",
           "name": "Enrollments", "forEach": "$source.courses",
           "attributes": {
             "label": "concatenate($source.name, ': ', $element.title, ' in ', $element.room.name)",
             "place": "$index"},
           "relationships": {
             "student": "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'StudentToStudent', $source)",
             "course": "FUNCTION($manager, 'destinationInstancesForSourceRelationshipNamed:sourceInstances:', 'courses', $element)",
             "room": "FUNCTION($manager, 'destinationInstancesForEntityMappingNamed:sourceInstances:', 'RoomToRoom', $element.room)"}},
          {"type": "copy", "source": "Course", "destination": "Course", "filter": "title != 'maths'"},
          {"type": "copy", "source": "Room", "destination": "Room"}
          """)
      ]
    ) { store in
      let rooms = try ["hall", "lab"].map { try store.insert("Room", ["name": .text($0)]) }
      let courses = try ["maths", "art", "music"].map {
        try store.insert("Course", ["title": .text($0)])
      }
      for (number, course) in courses.enumerated() {
        try store.relate(course, "room", to: [rooms[number % 2]])
      }
      let students = try ["Ann", "Bob", "Cy"].map {
        try store.insert("Student", ["name": .text($0)])
      }
      try store.relate(students[0], "courses", to: [courses[2], courses[0]])
      try store.relate(students[2], "courses", to: [courses[1], courses[2]])
    }
    let contents = try trial.migrate().contents
    let enrollments = contents["Enrollment"]
    #expect(
      enrollments.map { $0["label"] }
        == ["Ann: music in hall", "Ann: maths in hall", "Cy: art in lab", "Cy: music in hall"])
    #expect(enrollments.map { $0["place"] } == [0, 1, 0, 1])
    #expect(enrollments.map { $0.keys("student") } == [[1], [1], [3], [3]])
    #expect(enrollments.map { $0.keys("course") } == [[3], [], [2], [3]])
    #expect(enrollments.map { $0.keys("room") } == [[1], [1], [2], [1]])
    #expect(contents["Student"].map { $0.keys("enrollments") } == [[1, 2], [], [3, 4]])
  }

  @Test func `the elements of a list in JSON become objects`() throws {
    let trial = try Trial(
      Self.rows, Self.tagged,
      [
        mapping(
          """
          {"type": "transform", "source": "Row", "destination": "Tag",
           "forEach": "elementsInJSON($source.tags, 'list')",
           "attributes": {"name": "stringInJSON($element, 'n')"}},
          \(Self.toRows)
          """)
      ]
    ) { store in
      try store.insert("Row", ["tags": .text(#"{"list": [{"n": "a, \"b\""}, {"n": "c"}]}"#)])
      try store.insert("Row", ["tags": .text(#"{"other": 1}"#)])
      try store.insert("Row", ["tags": .text(#"{"list": [{"n": null}]}"#)])
    }
    let contents = try trial.migrate().contents
    #expect(contents["Tag"].map { $0["name"] } == ["a, \"b\"", "c", .null])
    #expect(contents["Row"].map { $0.keys("tags") } == [[1, 2], [], [3]])
  }
}
