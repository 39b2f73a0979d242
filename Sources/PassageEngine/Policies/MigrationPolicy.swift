public import PassageExpressions
public import PassageValues

/// User code that takes part in an entity mapping: Core Data's `NSEntityMigrationPolicy`.
///
/// The hooks run in Core Data's order. In each pass, first ``begin(in:)``,
/// ``createDestinationInstances(for:in:)`` for every source object and ``endInstanceCreation(in:)``
/// for each entity mapping; then ``createRelationships(for:in:)`` for every destination object and
/// ``endRelationshipCreation(in:)`` for each; then ``performCustomValidation(in:)`` and
/// ``end(in:)`` for each. Every hook has a default that does what Core Data's does, so a policy
/// implements only what it changes:
///
/// ```swift
/// struct FullName: MigrationPolicy {
///   init(mapping: PolicyMapping) {}
///
///   func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws {
///     var person = try context.defaultDestination(for: source)
///     let names = ["first", "last"].compactMap { source[$0]?.string }
///     try person.set("fullName", to: .text(names.joined(separator: " ")))
///     try context.insert(person, for: source)
///   }
/// }
/// ```
///
/// What a hook throws ends the migration; the pass is thrown away and the source stays as it was.
/// An interrupted pass continues at its last batch with a new instance of the policy: what a policy
/// must remember across objects belongs in ``MigrationContext/findOrInsert(_:key:for:make:)`` or
/// ``MigrationContext/userInfo``, which are kept on disk, or the policy says that its pass
/// ``restartsWhenInterrupted``.
public protocol MigrationPolicy: SendableMetatype {
  /// The name entity mappings refer to the policy by; the type's name unless said otherwise.
  static var name: String { get }

  /// The hooks the engine calls. A policy that leaves ``MigrationHook/createRelationships`` out
  /// saves a second sweep over its destination objects; one that leaves
  /// ``MigrationHook/createDestinationInstances`` out has its objects made by the mapping. The
  /// default is all of them.
  static var hooks: Set<MigrationHook> { get }

  /// What the policy does beside making the one object of each source object with the key of its own;
  /// it is held to that. The default is everything, which is always right: a policy that needs less
  /// can be carried out faster.
  ///
  /// ```swift
  /// static let needs: Set<MigrationContext.Need> = []
  /// ```
  static var needs: Set<MigrationContext.Need> { get }

  /// Whether an interrupted pass starts over instead of continuing at its last batch, because
  /// instances remember things. The default is `false`.
  static var restartsWhenInterrupted: Bool { get }

  /// Which state of the policy's code this is, as its author counts: a text that changes whenever
  /// what the policy makes does. The default is empty: no revision is given.
  ///
  /// An interrupted pass continues only with the same revision of each of its policies, and is begun
  /// again otherwise; a finished store says which it was made with. Without a revision the identity of
  /// the program stands for it in an interrupted pass: every build counts as a change.
  static var revision: String { get }

  /// The properties of its source entity that the policy reads beside what the mapping's own expressions
  /// read, where it says so: then what is left behind can be counted. `nil`, the default, is not known.
  static var readProperties: [String]? { get }

  /// Called while the plan is checked, and again for each pass; an error is a mistake in the
  /// mapping file.
  init(mapping: PolicyMapping) throws

  /// Functions that value expressions may call, by selector: `"fullName:"` for
  /// `FUNCTION($entityPolicy, "fullName:", $source)`. Read once for each instance.
  var functions: [String: PolicyFunction] { get }

  /// Called before the first object of the entity mapping is read.
  ///
  /// When an interrupted pass continues, its new instance begins again, so that it has in memory
  /// what it needs: what it writes is rolled back, because it is there already, and the objects it
  /// inserts are the ones it inserted the first time, in the same order.
  func begin(in context: MigrationContext) throws

  /// Called for each source object that the filter lets through, in ascending key order. The
  /// default makes one destination object with its attributes mapped and associates the two.
  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws

  /// Called after the last source object.
  func endInstanceCreation(in context: MigrationContext) throws

  /// Called for each destination object of the entity mapping, in ascending key order. The default
  /// maps its relationships.
  func createRelationships(for destination: DestinationObject, in context: MigrationContext) throws

  /// Called after the last destination object.
  func endRelationshipCreation(in context: MigrationContext) throws

  /// Called when every object of the pass is in place.
  func performCustomValidation(in context: MigrationContext) throws

  /// Called last.
  func end(in context: MigrationContext) throws
}

extension MigrationPolicy {
  /// The type's name.
  public static var name: String { String(describing: Self.self) }

  /// All of them.
  public static var hooks: Set<MigrationHook> { Set(MigrationHook.allCases) }

  /// All of them.
  public static var needs: Set<MigrationContext.Need> { Set(MigrationContext.Need.allCases) }

  /// `false`: a new instance continues at the last batch.
  public static var restartsWhenInterrupted: Bool { false }

  /// None given.
  public static var revision: String { "" }

  /// `nil`: not known.
  public static var readProperties: [String]? { nil }

  /// None.
  public var functions: [String: PolicyFunction] { [:] }

  /// Does nothing.
  public func begin(in context: MigrationContext) throws {}

  /// Makes one destination object with its attributes mapped, and associates the two.
  public func createDestinationInstances(
    for source: SourceObject, in context: MigrationContext
  ) throws {
    try context.insert(context.defaultDestination(for: source), for: source)
  }

  /// Does nothing.
  public func endInstanceCreation(in context: MigrationContext) throws {}

  /// Maps the object's relationships.
  public func createRelationships(
    for destination: DestinationObject, in context: MigrationContext
  ) throws {
    try context.createDefaultRelationships(for: destination)
  }

  /// Does nothing.
  public func endRelationshipCreation(in context: MigrationContext) throws {}

  /// Does nothing.
  public func performCustomValidation(in context: MigrationContext) throws {}

  /// Does nothing.
  public func end(in context: MigrationContext) throws {}
}

/// A value function of a policy: arguments in, one cell out.
public typealias PolicyFunction = ([PolicyArgument]) throws -> Value

/// The entity mapping a policy instance works for.
public struct PolicyMapping: Sendable, Hashable {
  /// The entity mapping's name.
  public var name: String
  /// `nil` for an add mapping.
  public var sourceEntityName: String?
  /// `nil` for a remove mapping.
  public var destinationEntityName: String?
  /// What the mapping file hands to the policy.
  public var userInfo: [String: String]

  /// Describes an entity mapping, as for a test of a policy.
  public init(
    name: String, sourceEntityName: String? = nil, destinationEntityName: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.sourceEntityName = sourceEntityName
    self.destinationEntityName = destinationEntityName
    self.userInfo = userInfo
  }
}
