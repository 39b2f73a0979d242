internal import PassageDiagnostics
internal import PassageExpressions

/// A mapping model as it is in a file of Xcode's editor or compiler, before names are looked up.
struct ForeignMapping: Sendable {
  /// In the order in which they run.
  var entityMappings: [ForeignEntityMapping] = []
  /// What the file records about its source model.
  var source = ForeignModelReference()
  /// What the file records about its destination model.
  var destination = ForeignModelReference()
}

/// How a file refers to one of its two models.
struct ForeignModelReference: Sendable {
  /// The model's path in its author's project; `nil` when the file has none.
  var path: String?
  /// The model as it was when the file was saved, as an archive of Xcode's editor; `nil` if there
  /// is none.
  var archive: [UInt8]?
  /// The version hashes the file records, by entity name; empty when it records none.
  var versionHashes: [String: [UInt8]] = [:]
  var location: SourceLocation?

  /// The version's name: the last part of the path without its extension.
  var name: String? {
    guard let last = path?.split(separator: "/").last.map(String.init), !last.isEmpty else {
      return nil
    }
    for suffix in [".xcdatamodel", ".xcdatamodeld", ".mom", ".momd"] where last.hasSuffix(suffix) {
      return String(last.dropLast(suffix.count))
    }
    return last
  }
}

/// One entity mapping of a ``ForeignMapping``.
struct ForeignEntityMapping: Sendable {
  /// `nil` if the file gives none.
  var name: String?
  var sourceName: String?
  var destinationName: String?
  /// `nil` if every object is migrated.
  var filter: Located<String>?
  var policyName: Located<String>?
  var userInfo: [String: String] = [:]
  /// Sorted by name, as Xcode's compiler writes them.
  var attributes: [ForeignProperty] = []
  /// Sorted by name.
  var relationships: [ForeignProperty] = []
  /// Whether all properties of equal names are copied without being listed.
  var isPlainCopy = false
  var location: SourceLocation
}

/// One property mapping of a ``ForeignMapping``.
struct ForeignProperty: Sendable {
  enum Value: Sendable {
    /// The file gives no value: the source property of the same name is copied, if it exists.
    case byName
    /// The property is left at its default.
    case none
    case expression(ValueExpression)
  }

  var name: String
  var value: Value
  var userInfo: [String: String] = [:]
  var location: SourceLocation
}
