import Passage

/// Two people with one address become one teacher.
struct OneTeacherForEachAddress: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  private let keyName: String

  init(mapping: PolicyMapping) throws {
    guard let name = mapping.userInfo["key"] else {
      throw PolicyMistake("say in \"userInfo\" which attribute is the \"key\"")
    }
    keyName = name
  }

  func createDestinationInstances(
    for person: SourceObject, in context: MigrationContext
  ) throws {
    guard let address = person[keyName]?.string?.lowercased() else {
      // Nobody shares an address with someone who has none.
      var teacher = try context.makeObject(ofEntity: "Teacher")
      try teacher.set("name", to: person["name"] ?? .null)
      try context.insert(teacher, for: person)
      return
    }
    try context.findOrInsert("Teacher", key: [.text(address)], for: person) { teacher in
      try teacher.set("name", to: person["name"] ?? .null)
      try teacher.set("email", to: .text(address))
    }
  }
}

/// A registration becomes an enrollment and, when there are points, a grade.
struct EnrollmentWithGrade: MigrationPolicy {
  static let hooks: Set<MigrationHook> = [.createDestinationInstances, .createRelationships]

  init(mapping: PolicyMapping) {}

  func createDestinationInstances(
    for registration: SourceObject, in context: MigrationContext
  ) throws {
    try context.insert(context.defaultDestination(for: registration), for: registration)
    guard let points = registration["points"]?.integer else { return }
    var grade = try context.makeObject(ofEntity: "Grade")
    try grade.set("points", to: .integer(points))
    try grade.set("letter", to: .text(points >= 90 ? "A" : points >= 60 ? "B" : "C"))
    try context.insert(grade, for: registration)
  }

  func createRelationships(for object: DestinationObject, in context: MigrationContext) throws {
    guard object.entityName == "Grade" else {
      try context.createDefaultRelationships(for: object)
      return
    }
    let name = context.mapping.name
    let registrations = try context.sourceKeys(
      forMappingNamed: name, destination: object.reference)
    let made = try registrations.flatMap {
      try context.destinationInstances(forMappingNamed: name, sourceKey: $0)
    }
    try context.setRelationship(
      "enrollment", of: object.reference, to: made.filter { $0.entityName == "Enrollment" })
  }
}
