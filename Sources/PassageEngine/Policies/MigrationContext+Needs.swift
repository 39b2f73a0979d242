internal import PassageMappings
internal import PassageDiagnostics

extension MigrationContext {
  /// What a policy does beside making the one object of each source object, as it says in
  /// ``MigrationPolicy/needs``.
  ///
  /// The less a policy needs, the more freely its objects can be carried over: in several threads, or
  /// past SQL. It is held to what it says: a call that needs more ends the migration (`RUN-047`), also
  /// where the policy continues as if nothing had happened.
  public enum Need: String, Sendable, Hashable, CaseIterable {
    /// It reads or changes destination objects that were made before, or asks what became of which
    /// source object: ``MigrationContext/destinationObject(_:)``,
    /// ``MigrationContext/forEachDestinationObject(ofEntity:_:)``, ``MigrationContext/find(_:key:)``,
    /// ``MigrationContext/destinationInstances(forMappingNamed:sourceKey:)``,
    /// ``MigrationContext/sourceKeys(forMappingNamed:destination:)``, and
    /// ``MigrationContext/update(_:)`` of another object than that of the hook.
    case destinationObjects
    /// It makes objects beside the one that has its source object's key: a second one, one of another
    /// entity, one for another source object or for none.
    case furtherObjects
    /// Its source objects must come one after another, in ascending order of keys, to one instance: it
    /// remembers them, in itself, in ``MigrationContext/userInfo`` or in objects that several share.
    /// Without it each batch of objects has an instance of its own, on which ``MigrationPolicy/begin(in:)``
    /// was not called, and instances may be called side by side in a later version.
    case order
  }

  /// Throws unless the policy has said that it needs something.
  ///
  /// - Parameter call: what needs it, as the policy's author writes it.
  func demand(_ need: Need, _ call: StaticString) throws(UndeclaredNeed) {
    guard !needsEverything, !needs.contains(need) else { return }
    let error = UndeclaredNeed(
      policy: mappingPlan.bound.mapping.policy?.name.value ?? "", mapping: mappingPlan.name,
      need: need,
      call: "\(call)")
    undeclared = undeclared ?? error
    throw error
  }

  /// Throws in a hook that is called for each object unless the policy needs their order.
  func demandOrder(_ call: StaticString) throws(UndeclaredNeed) {
    guard currentSource != nil || currentDestination != nil else { return }
    try demand(.order, call)
  }

  /// Throws when the policy has done what it did not say it needs, and has kept the error to itself.
  func checkNeeds() throws(UndeclaredNeed) {
    if let undeclared { throw undeclared }
  }
}

/// A policy did what it has not said that it needs.
struct UndeclaredNeed: Error {
  var policy: String
  var mapping: String
  var need: MigrationContext.Need
  var call: String
}

extension UndeclaredNeed: MigrationFailure {
  func migrationError(store path: String) -> MigrationError {
    MigrationError(
      Diagnostic(
        "RUN-047",
        "the policy “\(policy)” of “\(mapping)” calls \(call), and does not say that it needs this",
        reason: "its “needs” lack .\(need.rawValue)",
        remedy: "add .\(need.rawValue) to “static let needs” of the policy"))
  }
}
