internal import PassageDiagnostics
internal import PassageExpressions

/// A mapping model as Xcode's editor or compiler keeps it: what it says, before names are looked up.
struct ForeignMapping: Sendable {
  /// In the order they are processed.
  var entityMappings: [ForeignEntityMapping] = []
  /// What the file says of its source model.
  var source = ForeignModelReference()
  /// What the file says of its destination model.
  var destination = ForeignModelReference()
}

/// How a file names one of its two models.
struct ForeignModelReference: Sendable {
  /// The model's path in its author's project; `nil` when the file has none.
  var path: String?
  /// The model as it was when the file was saved, an archive of Xcode's editor; `nil` when none is
  /// kept.
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
  /// `nil` where the file gives none.
  var name: String?
  var sourceName: String?
  var destinationName: String?
  /// `nil` takes every object.
  var filter: Located<String>?
  var policyName: Located<String>?
  var userInfo: [String: String] = [:]
  /// By name, the order in which Xcode's compiler writes them.
  var attributes: [ForeignProperty] = []
  /// By name, in the same way.
  var relationships: [ForeignProperty] = []
  /// Whether everything of equal name is taken over without being listed.
  var isPlainCopy = false
  var location: SourceLocation
}

/// One property mapping of a ``ForeignMapping``.
struct ForeignProperty: Sendable {
  enum Value: Sendable {
    /// Nothing is written: the source property of the same name, where there is one.
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
