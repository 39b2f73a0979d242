public import PassageDiagnostics
package import PassageExpressions

/// An ordered list of entity mappings from a source model to a destination model: Core Data's
/// `NSMappingModel`. It is read from one JSON file, inferred, or created in code:
///
/// ```swift
/// let stepTwo = MappingModel(
///   name: "StepTwo", source: "1", destination: "2",
///   entityMappings: [
///     .transform("Event", to: "EventTimestamp", attributes: ["timestamp": "$source.timeStamp"]),
///     .copy("Person", filter: "isActive == YES"),
///     .remove("Draft"),
///   ])
/// ```
public struct MappingModel: Sendable {
  /// The name by which it is requested; by default the file's name without `.json`.
  public var name: String
  /// The source model version's name in the history.
  package var source: Located<String>
  /// The destination model version's name in the history.
  package var destination: Located<String>
  /// In the order in which they are processed.
  package var entityMappings: [EntityMapping]
  /// The meaning of comparisons with nil in its filters and values.
  package var nullSemantics = NullSemantics.inMemory
  /// The values of variables, `$name`, in its filters and values, by name.
  package var variables: [String: PredicateArgument] = [:]
  /// The file it was read from; `nil` if it was created in code.
  public var file: String?
  /// Whether it was inferred from its two models and not written by a person; plans and reports say
  /// so.
  public var isInferred = false
  /// Remarks on how it was made, which every plan and run reports; not compared for equality.
  public var remarks = Diagnostics()

  /// Creates a mapping model in code.
  ///
  /// - Parameters:
  ///   - name: its name in plans and reports.
  ///   - source: the name of the source model.
  ///   - destination: the name of the destination model.
  ///   - entityMappings: in the order in which they are processed.
  public init(
    name: String, source: String, destination: String, entityMappings: [EntityMapping]
  ) {
    self.name = name
    self.source = Located(source)
    self.destination = Located(destination)
    self.entityMappings = entityMappings
  }
}

extension MappingModel: Hashable {
  /// Whether name, models, entity mappings and common settings are equal. The origin of the mapping
  /// models is not compared.
  public static func == (a: MappingModel, b: MappingModel) -> Bool {
    a.name == b.name && a.source == b.source && a.destination == b.destination
      && a.entityMappings == b.entityMappings && a.nullSemantics == b.nullSemantics
      && a.variables == b.variables
  }

  /// Hashes the properties that equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(source)
    hasher.combine(destination)
    hasher.combine(entityMappings)
    hasher.combine(nullSemantics)
    hasher.combine(variables)
  }
}
