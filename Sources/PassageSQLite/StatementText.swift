/// The text of a statement, compared by its bytes. Swift compares texts by characters, so that names that differ
/// only in how an accent is written would be the same; to SQLite they are two.
struct StatementText: Hashable {
  private let text: String

  init(_ text: String) { self.text = text }

  static func == (first: Self, second: Self) -> Bool {
    first.text.utf8.elementsEqual(second.text.utf8)
  }

  func hash(into hasher: inout Hasher) {
    let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    guard isHashed == nil else { return }
    for byte in text.utf8 { hasher.combine(byte) }
  }
}
