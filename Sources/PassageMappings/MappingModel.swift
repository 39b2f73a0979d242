public import PassageDiagnostics

/// An ordered list of entity mappings from a source model to a destination model: Core Data's
/// `NSMappingModel`, read from one JSON file.
public struct MappingModel: Sendable, Hashable {
  /// The name it is asked for by; a file's name without `.json` unless the file says otherwise.
  public var name: String
  /// The source model version's name in the history.
  public var source: Located<String>
  /// The destination model version's name in the history.
  public var destination: Located<String>
  /// In the order they are processed.
  public var entityMappings: [EntityMapping]
  /// The file it was read from; `nil` when it was made in code.
  public var file: String?

  public init(
    name: String, source: String, destination: String, entityMappings: [EntityMapping]
  ) {
    self.name = name
    self.source = Located(source)
    self.destination = Located(destination)
    self.entityMappings = entityMappings
  }
}
