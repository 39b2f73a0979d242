internal import PassageSQLite
internal import PassageStores
internal import PassageValues

/// Identifiers of objects in a private temporary database on disk.
final class IdentifierIndex {
  private let connection: Connection
  private let insertName: Statement
  private let findName: Statement
  private let insertText: Statement
  private var roots: [String: Int64] = [:]

  /// - Throws: `StoreError`.
  init() throws {
    do {
      connection = try Connection(path: "", mode: .create)
      try connection.turnOffJournal()
      try connection.execute(
        """
        PRAGMA synchronous = OFF; PRAGMA cache_size = -4000; BEGIN;
        CREATE TABLE name (root INTEGER, reference, text TEXT, PRIMARY KEY (root, reference))
          WITHOUT ROWID;
        CREATE TABLE taken (root INTEGER, text TEXT, PRIMARY KEY (root, text)) WITHOUT ROWID
        """)
      insertName = try connection.prepare("INSERT OR REPLACE INTO name VALUES (?, ?, ?)")
      findName = try connection.prepare("SELECT text FROM name WHERE root = ? AND reference = ?")
      insertText = try connection.prepare("INSERT OR IGNORE INTO taken VALUES (?, ?)")
    } catch {
      throw StoreError(error, path: "")
    }
  }

  /// Stores the text of an object's identifier.
  func name(_ reference: AtomicStore.Reference, root: String, _ text: String) throws {
    try insertName.bind([.integer(number(root)), Self.key(reference), .text(text)])
    try insertName.run()
  }

  /// The stored text of an object's identifier; `nil` if there is none.
  func text(of reference: AtomicStore.Reference, root: String) throws -> String? {
    guard let root = roots[root] else { return nil }
    try findName.bind([.integer(root), Self.key(reference)])
    let text = try findName.step() ? findName.value(at: 0).string : nil
    findName.reset()
    return text
  }

  /// Stores a text. Returns whether no other object of the hierarchy has it.
  func take(_ text: String, root: String) throws -> Bool {
    try insertText.bind([.integer(number(root)), .text(text)])
    try insertText.run()
    return connection.changes > 0
  }

  private func number(_ root: String) -> Int64 {
    if let known = roots[root] { return known }
    roots[root] = Int64(roots.count)
    return roots[root] ?? 0
  }

  /// A value that is equal for equal reference objects.
  static func key(_ reference: AtomicStore.Reference) -> Value {
    switch reference {
    case .number(let number): .integer(number)
    case .text(let text): .text(text)
    }
  }
}
