internal import PassageDiagnostics
internal import PassageStores

/// Mistakes in a file. The first hundred are kept, and all are counted.
struct MistakeList {
  /// How many mistakes are listed.
  static let maximumListed = 100

  private(set) var listed: [Diagnostic] = []
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  mutating func append(_ mistake: Diagnostic) {
    if listed.count < Self.maximumListed { listed.append(mistake) }
    count += 1
  }

  mutating func append(contentsOf other: MistakeList) {
    let room = Self.maximumListed - listed.count
    listed += other.listed.prefix(max(0, room))
    count += other.count
  }

  /// The first hundred mistakes in full, and the number of further ones.
  func diagnostics(path: String) -> Diagnostics {
    var diagnostics = Diagnostics(listed)
    if count > listed.count {
      diagnostics.append(
        Diagnostic(
          "ATM-023", "there are \(count - listed.count) more mistakes",
          at: SourceLocation(file: path), remedy: "correct those that are listed first"))
    }
    return diagnostics
  }
}
