internal import PassageDiagnostics
internal import PassageMappings

extension MigrationContext {
  /// What a policy does besides making one object from each source object. The policy declares it
  /// in ``MigrationPolicy/needs``.
  ///
  /// The fewer needs a policy has, the more freely the engine can run it: in several threads, or
  /// bypassing SQL. A call that needs something undeclared ends the migration (`RUN-047`), even if
  /// the policy catches the error.
  public enum Need: String, Sendable, Hashable, CaseIterable {
    /// It reads or changes destination objects that were made earlier, or asks which objects a
    /// source object became, or from which source objects an object was made:
    /// ``MigrationContext/destinationObject(_:)``,
    /// ``MigrationContext/forEachDestinationObject(ofEntity:_:)``,
    /// ``MigrationContext/find(_:key:)``,
    /// ``MigrationContext/destinationInstances(forMappingNamed:sourceKey:)``,
    /// ``MigrationContext/sourceKeys(forMappingNamed:destination:)``, and
    /// ``MigrationContext/update(_:)`` of an object other than that of the hook.
    case destinationObjects
    /// It makes objects besides the one at its source object's key: a second object, an object of
    /// another entity, or an object for another source object or for none.
    case furtherObjects
    /// Its source objects must be passed to a single instance, one after another, in ascending
    /// order of keys, because the policy remembers them: in itself, in
    /// ``MigrationContext/userInfo``, or in shared objects. Without this need, each batch of
    /// objects has an instance of its own, on which ``MigrationPolicy/begin(in:)`` was not called.
    /// With several jobs (``MigrationOptions/Limits/jobs``), instances that need no
    /// ``furtherObjects`` either are called in parallel, each by one thread, and an object may be
    /// passed to a second instance after another one has failed.
    case order
  }

  /// Throws unless the policy has declared a need.
  ///
  /// - Parameter call: the call that needs it, as the policy's author writes it.
  /// - Throws: ``UndeclaredNeed``, or ``PolicyMistake`` when the pass is over.
  func demand(_ need: Need, _ call: StaticString) throws {
    guard !needsEverything, !needs.contains(need) else { return }
    try checkPass()
    let error = UndeclaredNeed(
      policy: mappingPlan.bound.mapping.policy?.name.value ?? "", mapping: mappingPlan.name,
      need: need,
      call: "\(call)")
    undeclared = undeclared ?? error
    hasAskedForMore = true
    throw error
  }

  /// Throws in a hook that is called for each object, unless the policy needs order.
  func demandOrder(_ call: StaticString) throws {
    guard currentSource != nil || currentDestination != nil else { return }
    try demand(.order, call)
  }

  /// Throws when the policy has made a call that was refused, and has caught the error.
  @inline(__always)
  func checkNeeds() throws {
    if hasAskedForMore { try checkCalls() }
  }

  @inline(never)
  private func checkCalls() throws {
    if let undeclared { throw undeclared }
    if let refusal { throw refusal }
    if hasNeededPass { throw NeedsPass() }
  }
}

/// A policy made a call whose need it does not declare.
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
        "the policy “\(policy)” of “\(mapping)” calls \(call) without declaring that it needs this",
        reason: "its “needs” do not contain .\(need.rawValue)",
        remedy: "add .\(need.rawValue) to “static let needs” of the policy"))
  }
}
