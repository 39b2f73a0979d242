/// Everything wrong with what an author wrote, found in one go.
public struct Diagnostics: Error, Sendable, Hashable {
  /// In the order they were found.
  public private(set) var all: [Diagnostic] = []

  public init(_ all: [Diagnostic] = []) { self.all = all }

  public var errors: [Diagnostic] { all.filter { $0.severity == .error } }
  public var warnings: [Diagnostic] { all.filter { $0.severity == .warning } }
  public var hasErrors: Bool { all.contains { $0.severity == .error } }

  public mutating func append(_ diagnostic: Diagnostic) { all.append(diagnostic) }

  public mutating func append(contentsOf other: Diagnostics) { all += other.all }

  /// Throws itself when it holds an error; warnings and notes alone pass.
  public func throwIfErrors() throws(Diagnostics) {
    if hasErrors { throw self }
  }
}

extension Diagnostics: CustomStringConvertible {
  public var description: String { all.map(\.description).joined(separator: "\n") }
}
