internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// The entity mapping to which properties belong.
struct PropertyOwner {
  var mappingName: String
  /// `nil` for an add mapping, or if the source model or entity is not known.
  var source: Entity?
  /// `nil` if the destination model or entity is not known.
  var destination: Entity?
  /// Whether there can be source properties.
  var hasSource: Bool
}

extension MappingResolver {
  /// - Returns: `nil` for an attribute that keeps its default, or cannot be mapped.
  mutating func attribute(
    _ foreign: ForeignProperty, of owner: PropertyOwner
  ) -> PropertyMapping? {
    if let entity = owner.destination, let destination {
      let attribute = destination.attribute(foreign.name, of: entity)
      let obstacle = Obstacle(
        isStored: attribute.map { $0.isStored && $0.derivation == nil },
        isOtherKind: destination.relationship(foreign.name, of: entity) != nil)
      if leavesOut(foreign, of: owner, because: obstacle) { return nil }
    }
    var sourceHasIt = owner.hasSource
    if let entity = owner.source, let source {
      sourceHasIt = source.attribute(foreign.name, of: entity)?.isStored == true
    }
    return mapping(foreign, sourceHasIt: sourceHasIt) { expression in
      expression == .path(.variable("source"), foreign.name)
    }
  }

  /// - Returns: `nil` for a relationship that stays empty, or cannot be mapped.
  mutating func relationship(
    _ foreign: ForeignProperty, of owner: PropertyOwner
  ) -> PropertyMapping? {
    if let entity = owner.destination, let destination {
      let relationship = destination.relationship(foreign.name, of: entity)
      let obstacle = Obstacle(
        isStored: relationship.map { !$0.isTransient },
        isOtherKind: destination.attribute(foreign.name, of: entity) != nil)
      if leavesOut(foreign, of: owner, because: obstacle) { return nil }
    }
    var sourceHasIt = owner.hasSource
    var end: Entity?
    if let entity = owner.source, let source {
      let relationship = source.relationship(foreign.name, of: entity)
      sourceHasIt = relationship?.isTransient == false
      end = relationship.flatMap { source.entity(named: $0.destinationEntityName) }
    }
    let taker = end.flatMap { onlyMapping(takingObjectsOf: $0) }
    return mapping(foreign, sourceHasIt: sourceHasIt) { expression in
      guard
        case .destinations(let mappingName, let name, .source, [foreign.name]) =
          RelationshipValue(expression)
      else { return false }
      guard let mappingName else { return name == foreign.name }
      // Xcode's compiler names the mapping if it is the only one; the result is then the same
      // without a name.
      return taker == mappingName
    }
  }

  /// The mapping of a property that the destination has.
  ///
  /// - Parameter isDefault: whether an expression has the meaning of a property without a written
  ///   value.
  private mutating func mapping(
    _ foreign: ForeignProperty, sourceHasIt: Bool,
    isDefault: (ValueExpression) -> Bool
  ) -> PropertyMapping? {
    var mapping = PropertyMapping(name: foreign.name, userInfo: foreign.userInfo)
    mapping.name.location = foreign.location
    switch foreign.value {
    case .byName where sourceHasIt:
      break
    case .byName, .none:
      guard !foreign.userInfo.isEmpty else { return nil }
      mapping.source = .leftAtDefault
    case .expression(let expression):
      if sourceHasIt, isDefault(expression) { break }
      mapping.source = .expression(Located(text(of: expression, at: foreign), at: foreign.location))
    }
    return mapping
  }

  /// The expression in a mapping model's notation. Reports `IMP-010` if parsing that text would
  /// give another expression.
  private mutating func text(
    of expression: ValueExpression, at property: ForeignProperty
  ) -> String {
    let text = expression.description
    let again = try? FormatParser.expression(text)
    if again != expression {
      note(
        "IMP-010", "the value of “\(property.name)” cannot be written as a text",
        at: property.location, severity: .error,
        reason: "\(text) would be read as another expression",
        remedy: "write the value in a policy function")
    }
    return text
  }

  // MARK: What cannot be mapped

  /// Why a property cannot be mapped.
  private enum Obstacle {
    case unknown
    case otherKind
    case notStored

    /// - Parameters:
    ///   - isStored: whether the destination property of this kind is stored; `nil` if there is no
    ///     such property.
    ///   - isOtherKind: whether there is a property of this name and the other kind.
    init?(isStored: Bool?, isOtherKind: Bool) {
      switch isStored {
      case true?: return nil
      case false?: self = .notStored
      case nil: self = isOtherKind ? .otherKind : .unknown
      }
    }
  }

  /// Leaves out a property that has no written value and cannot be mapped. A written expression is
  /// kept, so that the checks refuse it.
  private mutating func leavesOut(
    _ foreign: ForeignProperty, of owner: PropertyOwner, because obstacle: Obstacle?
  ) -> Bool {
    guard let obstacle else { return false }
    if case .expression = foreign.value { return false }
    let reason =
      switch obstacle {
      case .unknown: "the destination entity has no such property"
      case .otherKind:
        "it is a property of the other kind (attribute or relationship) in the "
          + "destination model"
      case .notStored: "the destination does not store it"
      }
    note(
      "IMP-025", "“\(foreign.name)” of “\(owner.mappingName)” is left out",
      at: foreign.location, severity: obstacle == .notStored ? .note : .warning, reason: reason)
    return true
  }
}
