import Foundation
import Passage
import PassageProjects
import PassageTesting
import TestSupport
import Testing

/// The school of `Tests/Examples/School`: five entities, five passes, one step.
@Suite struct SchoolTests {
  static let folder = Repository.file("Tests/Examples/School")

  static func project() throws -> Project {
    try Project(
      migrationsDirectory: folder + "/Migrations", mappingsDirectory: folder + "/Mappings")
  }

  static func trial() throws -> Trial {
    let project = try project()
    let source = try #require(project.models["1"])
    let destination = try #require(project.models["2"])
    let names = try #require(project.history.steps.first).mappings.map(\.value)
    return try Trial(
      source, destination, project.mappingModels(named: names),
      policies: [OneTeacherForEachAddress.self, EnrollmentWithGrade.self], fill: fill)
  }

  static let people: [(name: String, email: String?)] = [
    ("Ada", "ada@school"), ("Ben", "ben@school"), ("Ada L.", "ADA@school"), ("Cleo", nil),
    ("Dora", nil),
  ]

  static func fill(_ store: TestStore) throws {
    let people = try people.map { person in
      try store.insert(
        "Person",
        ["name": .text(person.name), "email": person.email.map { .text($0) } ?? .null])
    }
    let students = try (1...9).map { number in
      try store.insert(
        "Student",
        [
          "name": .text("student \(number)"), "email": .text("s\(number)@school"),
          "number": .integer(Int64(100 + number)),
        ])
    }
    let courses = try (1...3).map { number in
      try store.insert(
        "Course", ["code": .text("C\(number)"), "title": .text("course \(number)")],
        ["teachers": [people[number % 5]]])
    }
    try store.relate(courses[0], "teachers", to: [people[0], people[2]])
    let classes = try (1...8).map { number in
      try store.insert(
        "Class",
        [
          "code": .text("K\(number)"), "room": .text("R\(number % 3)"),
          "year": .integer(Int64(2015 + number)),
        ], ["teachers": [people[(number * 2) % 5], people[0]]])
    }
    for number in 0..<40 {
      let registration = try store.insert(
        "Registration",
        [
          "date": .real(Double(number) * 86_400),
          "points": number % 4 == 0 ? .null : .integer(Int64(40 + number)),
        ])
      try store.relate(students[(number * 7) % 9], "registrations", to: [registration])
      try store.relate(classes[(number * 3) % 8], "registrations", to: [registration])
    }
  }

  @Test func `every object of the school arrives where it belongs`() throws {
    let trial = try Self.trial()
    let old = try StoreContents(path: trial.sourcePath, model: trial.source)
    let (new, report) = try trial.migrate()

    // Students and courses are kept as they are, at their keys.
    #expect(new["Student"].map(\.key) == old["Student"].map(\.key))
    #expect(new["Student"].map { $0["number"] } == old["Student"].map { $0["number"] })
    #expect(new["Course"].map { $0["title"] } == old["Course"].map { $0["title"] })

    // Five people, two of them with one address, are four teachers.
    #expect(new["Teacher"].map { $0["name"] } == ["Cleo", "Dora", "Ada", "Ben"])
    #expect(
      new["Teacher"].map { $0["email"] } == [.null, .null, "ada@school", "ben@school"] as [Value])
    #expect(new["Person"].isEmpty)

    // Every class is there once, whichever pass took it; what it was is told by its code.
    let classes = new["Class"].sorted { "\($0["code"])" < "\($1["code"])" }
    #expect(classes.map { $0["code"] } == (1...8).map { .text("K\($0)") })
    #expect(classes.map { $0["isArchived"].bool } == (1...8).map { 2015 + $0 < 2020 })
    #expect(classes.map { $0["room"] } == (1...8).map { .text("R\($0 % 3)") })

    // Teachers of courses and classes: both Adas teach what the one Ada teaches now.
    let names = Dictionary(
      uniqueKeysWithValues: new["Teacher"].map { ($0.key, $0["name"].string ?? "") })
    func teachers(_ object: StoreContents.Object) -> Set<String> {
      Set(object.keys("teachers").compactMap { names[$0] })
    }
    let merged = Self.people.map { $0.name == "Ada L." ? "Ada" : $0.name }
    for object in old["Course"] + old["Class"] {
      let expected = Set(object.keys("teachers").map { merged[Int($0) - 1] })
      let found = (new["Course"] + new["Class"]).first { $0["code"] == object["code"] }
      #expect(found.map(teachers) == expected, "\(object["code"])")
    }

    // A registration is an enrollment at its key and, with points, a grade.
    #expect(new["Enrollment"].map(\.key) == old["Registration"].map(\.key))
    let codes = Dictionary(uniqueKeysWithValues: new["Class"].map { ($0.key, $0["code"]) })
    for registration in old["Registration"] {
      let enrollment = try #require(new.object("Enrollment", registration.key))
      #expect(enrollment["date"] == registration["date"])
      #expect(enrollment.keys("student") == registration.keys("student"))
      let course = try #require(registration.keys("course").first)
      #expect(
        enrollment.keys("course").map { codes[$0] } == [old.object("Class", course)?["code"]])
      let grades = try enrollment.keys("grade").map { try #require(new.object("Grade", $0)) }
      #expect(grades.map { $0["points"] } == [registration["points"]].filter { !$0.isNull })
      #expect(grades.flatMap { $0.keys("enrollment") } == grades.map { _ in registration.key })
    }
    #expect(new["Grade"].count == 30)

    // Classes keep the order of their registrations.
    for object in old["Class"] {
      let found = new["Class"].first { $0["code"] == object["code"] }
      #expect(found?.keys("enrollments") == object.keys("registrations"))
    }

    #expect(
      report.steps[0].mappings.map(\.read) == [9, 5, 3, 8, 8, 40])
    #expect(report.steps[0].mappings.map(\.filtered) == [0, 0, 0, 4, 4, 0])
    #expect(report.steps[0].mappings.map(\.merged) == [0, 1, 0, 0, 0, 0])
    #expect(report.steps[0].mappings.map(\.split) == [0, 0, 0, 0, 0, 30])
  }

  @Test func `the school migrates through its history, up to date afterwards`() async throws {
    let trial = try Self.trial()
    let project = try Self.project()
    let route = try StoreRoute(
      storePath: trial.sourcePath, version: nil, project: project, options: MigrationOptions())
    #expect(
      route.mappings.map(\.name) == [
        "People", "Courses", "ClassesBefore2020", "ClassesSince2020", "Registrations",
      ])
    let manager = MigrationManager(
      source: try #require(route.source), destination: try #require(route.destination),
      policies: trial.policies)
    let migration = manager.migrate(
      storeAt: trial.directory.url("old.sqlite"), to: trial.directory.url("new.sqlite"),
      mappings: route.mappings)
    var last = MigrationProgress()
    for await progress in migration.progress { last = progress }
    #expect(last.phase == .finished)
    #expect(last.fraction == 1)
    #expect(last.completed == last.total)
    #expect(try await migration.value.outcome == .migrated)
    let done = try StoreRoute(
      storePath: trial.directory.path("new.sqlite"), version: nil, project: project,
      options: MigrationOptions())
    #expect(done.mappings.isEmpty)
  }
}
