public import PassageExpressions
public import PassageValues

/// User code that takes part in an entity mapping: Core Data's `NSEntityMigrationPolicy`.
///
/// The hooks run in Core Data's order, in three rounds over the entity mappings of a pass: first
/// ``begin(in:)``, ``createDestinationInstances(for:in:)`` for every source object, and
/// ``endInstanceCreation(in:)``; then ``createRelationships(for:in:)`` for every destination
/// object, and ``endRelationshipCreation(in:)``; then ``performCustomValidation(in:)`` and
/// ``end(in:)``. Every hook has a default that does what Core Data's does, so a policy implements
/// only what it changes:
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
/// An error that a hook throws ends the migration: the pass is discarded and the source stays as it
/// was. An interrupted pass continues after its last batch with a new instance of the policy.
/// Therefore what a policy must remember across objects belongs in
/// ``MigrationContext/findOrInsert(_:key:for:make:)`` or ``MigrationContext/userInfo``, which are
/// stored on disk; otherwise the policy declares that its pass ``restartsWhenInterrupted``.
public protocol MigrationPolicy: SendableMetatype {
  /// The name by which entity mappings refer to the policy; by default the type's name, without the types
  /// that it is declared in. Two policies with one name are refused when a migration is planned
  /// (`MAP-041`).
  static var name: String { get }

  /// The hooks that the engine calls; by default all of them. A policy that omits
  /// ``MigrationHook/createRelationships`` saves a second sweep over its destination objects. If it
  /// omits ``MigrationHook/createDestinationInstances``, the mapping makes its objects.
  static var hooks: Set<MigrationHook> { get }

  /// What the policy does besides making one object at each source object's key. The engine
  /// enforces it. The default is everything, which is always correct; a policy that needs less can
  /// run faster.
  ///
  /// ```swift
  /// static let needs: Set<MigrationContext.Need> = []
  /// ```
  static var needs: Set<MigrationContext.Need> { get }

  /// Whether an interrupted pass starts again instead of continuing after its last batch, because
  /// instances remember things. The default is `false`.
  static var restartsWhenInterrupted: Bool { get }

  /// The revision of the policy's code: a text that its author changes whenever the policy's
  /// results change. The default is empty: no revision.
  ///
  /// An interrupted pass continues only if each of its policies has the same revision, and is
  /// started again otherwise. A finished store records the revisions it was made with. For a policy
  /// without a revision, the identity of the program is used instead when a pass is continued, so
  /// every build counts as a change.
  static var revision: String { get }

  /// The properties of its source entity that the policy reads besides those that the mapping's own
  /// expressions read. If they are declared, values that are left behind can be counted. The
  /// default, `nil`, means unknown. Links that the policy sets or leaves out itself are not counted.
  static var readProperties: [String]? { get }

  /// Called when the plan is checked, and again for each pass. An error is reported as a mistake in
  /// the mapping model.
  init(mapping: PolicyMapping) throws

  /// Functions that value expressions may call, by selector: `"fullName:"` for
  /// `FUNCTION($entityPolicy, "fullName:", $source)`. Read once per instance.
  var functions: [String: PolicyFunction] { get }

  /// Called before the first object of the entity mapping is read.
  ///
  /// When an interrupted pass continues, this is called again on the new instance, so that it can
  /// rebuild its state in memory. What it writes already exists and is rolled back; the objects it
  /// inserts are the ones it inserted the first time, in the same order.
  func begin(in context: MigrationContext) throws

  /// Called for each source object that passes the filter, in ascending order of keys. The default
  /// makes one destination object with its attributes mapped and associates the two.
  func createDestinationInstances(for source: SourceObject, in context: MigrationContext) throws

  /// Called after the last source object.
  func endInstanceCreation(in context: MigrationContext) throws

  /// Called for each destination object of the entity mapping, in ascending order of keys. The
  /// default maps its relationships.
  func createRelationships(for destination: DestinationObject, in context: MigrationContext) throws

  /// Called after the last destination object.
  func endRelationshipCreation(in context: MigrationContext) throws

  /// Called after all objects of the pass are made and related.
  func performCustomValidation(in context: MigrationContext) throws

  /// Called last.
  func end(in context: MigrationContext) throws
}

extension MigrationPolicy {
  /// The type's name.
  public static var name: String {
    // What `String(describing:)` gives, which first looks for what the type of the type might conform to:
    // with five policies, that takes an eighth of a small migration.
    _typeName(Self.self, qualified: false)
  }

  /// All hooks.
  public static var hooks: Set<MigrationHook> { Set(MigrationHook.allCases) }

  /// All needs.
  public static var needs: Set<MigrationContext.Need> { Set(MigrationContext.Need.allCases) }

  /// `false`: a new instance continues at the last batch.
  public static var restartsWhenInterrupted: Bool { false }

  /// No revision.
  public static var revision: String { "" }

  /// `nil`: unknown.
  public static var readProperties: [String]? { nil }

  /// No functions.
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

/// A value function of a policy: it takes arguments and returns one cell.
///
/// A result that the attribute cannot hold whose value it is, or that is not a number, is an error for
/// the object (`PRE-042`), like an error that the function throws.
public typealias PolicyFunction = ([PolicyArgument]) throws -> Value

/// The entity mapping for which a policy instance works.
public struct PolicyMapping: Sendable, Hashable {
  /// The entity mapping's name.
  public var name: String
  /// `nil` for an add mapping.
  public var sourceEntityName: String?
  /// `nil` for a remove mapping.
  public var destinationEntityName: String?
  /// What the mapping model passes to the policy.
  public var userInfo: [String: String]

  /// Creates the description of an entity mapping, for instance to test a policy.
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
