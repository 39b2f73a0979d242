internal import Passage

/// What happens to a book, in either of two migrations that name one policy and tell them apart by
/// `modelVersion` in the entity mapping's user info.
///
/// - To version 2: a book's `authorName` becomes an `Author`, one for each name; its mapping model
///   leaves `authors` open.
/// - To version 3: a book's `fileURL` becomes a `File`; its mapping model leaves `Book.files`,
///   `File.book` and `File.user` open. A file has one user and a book had several, so each of them
///   gets a file; a book that nobody has gets one without a user.
struct BookPolicy: MigrationPolicy {
  static let name = "MHWBookToBookPolicy"
  static let hooks: Set<MigrationHook> = [.createDestinationInstances]

  private enum Version: String {
    case authors = "2"
    case files = "3"
  }

  private let version: Version

  init(mapping: PolicyMapping) throws {
    guard let version = mapping.userInfo["modelVersion"].flatMap(Version.init) else {
      throw PolicyMistake("the user info says in \"modelVersion\" that it is 2 or 3")
    }
    self.version = version
  }

  func createDestinationInstances(for book: SourceObject, in context: MigrationContext) throws {
    let made = try context.insert(context.defaultDestination(for: book), for: book)
    switch version {
    case .authors: try relateAuthor(of: book, to: made, in: context)
    case .files: try makeFiles(of: book, for: made, in: context)
    }
  }

  private func relateAuthor(
    of book: SourceObject, to made: ObjectReference, in context: MigrationContext
  ) throws {
    guard let name = book["authorName"]?.string else { return }
    let author = try context.findOrInsert("Author", key: [.text(name)], for: book) { author in
      try author.set("name", to: .text(name))
    }
    try context.setRelationship("authors", of: made, to: [author.object])
  }

  private func makeFiles(
    of book: SourceObject, for made: ObjectReference, in context: MigrationContext
  ) throws {
    let users = try context.sourceKeys(of: book, relationship: "users").flatMap {
      try context.destinationInstances(forMappingNamed: "UserToUser", sourceKey: $0)
    }
    for user in users.isEmpty ? [nil] : users.map(Optional.some) {
      var file = try context.makeObject(ofEntity: "File")
      try file.set("fileURL", to: book["fileURL"] ?? .null)
      let reference = try context.insert(file, for: book)
      try context.setRelationship("book", of: reference, to: [made])
      try context.setRelationship("user", of: reference, to: user.map { [$0] } ?? [])
    }
  }
}
