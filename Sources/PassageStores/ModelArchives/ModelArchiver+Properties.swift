internal import PassageModels
internal import PassageValues

extension ModelArchiver {
  /// Bits of a property's `_P`, which repeats its flags. Stores set four more on every property.
  private enum PropertyBits {
    static let always: Int64 = 0x71
    static let optional: Int64 = 0x2
    static let transient: Int64 = 0x8
    static let withoutHashModifier: Int64 = 0x80
    static let ordered: Int64 = 0x400
  }

  /// Writes an attribute into its place.
  mutating func fill(
    _ place: KeyedArchiver.Reference, _ attribute: Attribute, of entity: Entity
  ) {
    var flags: Int64 = 0
    if attribute.allowsExternalBinaryDataStorage { flags |= ModelArchive.externalBinaryDataStorage }
    if attribute.preservesValueOnDeletion { flags |= ModelArchive.preservesValueOnDeletion }
    var members = common(
      attribute.name, of: entity, isOptional: attribute.isOptional,
      isTransient: attribute.isTransient, renamingIdentifier: attribute.renamingIdentifier,
      versionHashModifier: attribute.versionHashModifier, userInfo: attribute.userInfo)
    members += [
      PropertyList.Member("NSAttributeType", .integer(Int64(attribute.type.rawValue))),
      PropertyList.Member(
        "NSAttributeValueClassName",
        archiver.text(attribute.valueClassName ?? attribute.type.usualValueClassName)),
      PropertyList.Member(
        "NSDefaultValue",
        archiver.defaultValue(attribute.defaultValue, as: attribute.type) ?? KeyedArchiver.null),
      PropertyList.Member("NSValueTransformerName", archiver.text(attribute.valueTransformerName)),
      PropertyList.Member("NSFlagsKey", .integer(flags)),
    ]
    if attribute.isIndexed { members.append(PropertyList.Member("NSIsIndexed", .bool(true))) }
    members += validation(of: attribute)
    guard let derivation = derivations[ArchivedDerivation.key(attribute)] else {
      return archiver.fill(place, .attributeDescription, members)
    }
    members.append(
      PropertyList.Member("NSDerivationExpression", derivation.expression(in: &archiver)))
    members.append(
      PropertyList.Member("NSFilteringPredicate", derivation.filter(in: &archiver)))
    archiver.fill(place, .derivedAttributeDescription, members)
  }

  /// Writes a relationship into its place.
  mutating func fill(
    _ place: KeyedArchiver.Reference, _ relationship: Relationship, of entity: Entity
  ) {
    let destination = relationship.destinationEntityName
    let inverse = relationship.inverseName.flatMap { properties[destination]?[$0] }
    var members = common(
      relationship.name, of: entity, isOptional: relationship.isOptional,
      isTransient: relationship.isTransient, isOrdered: relationship.isOrdered,
      renamingIdentifier: relationship.renamingIdentifier,
      versionHashModifier: relationship.versionHashModifier, userInfo: relationship.userInfo)
    members += [
      PropertyList.Member(
        "NSDestinationEntity", entities[destination]?.value ?? KeyedArchiver.null),
      PropertyList.Member("_NSDestinationEntityName", archiver.text(destination)),
      // The inverse is the destination's own copy of it, even if the destination inherits it.
      PropertyList.Member("NSInverseRelationship", inverse?.value ?? KeyedArchiver.null),
      PropertyList.Member(
        "_NSInverseRelationshipName", archiver.text(relationship.inverseName)),
      PropertyList.Member("NSDeleteRule", .integer(Int64(relationship.deleteRule.rawValue))),
      PropertyList.Member("NSMinCount", .integer(Int64(relationship.minimumCount))),
      PropertyList.Member("NSMaxCount", .integer(Int64(relationship.maximumCount))),
    ]
    if relationship.isOrdered { members.append(PropertyList.Member("NSIsOrdered", .bool(true))) }
    archiver.fill(place, .relationshipDescription, members)
  }

  /// Writes a fetched property into its place.
  mutating func fill(
    _ place: KeyedArchiver.Reference, _ property: Entity.FetchedProperty, of entity: Entity
  ) {
    var members = common(property.name, of: entity, userInfo: property.userInfo)
    if let request = property.fetchRequest {
      members.append(PropertyList.Member("NSFetchRequest", fetchRequest(request)))
    }
    archiver.fill(place, .fetchedPropertyDescription, members)
  }

  /// What attributes, relationships and fetched properties have in common. Flags are written only
  /// if they are set.
  private mutating func common(
    _ name: String, of entity: Entity, isOptional: Bool = false, isTransient: Bool = false,
    isOrdered: Bool = false, renamingIdentifier: String? = nil,
    versionHashModifier: String? = nil, userInfo: [String: String]
  ) -> [PropertyList.Member] {
    var bits = PropertyBits.always
    if isOptional { bits |= PropertyBits.optional }
    if isTransient { bits |= PropertyBits.transient }
    if isOrdered { bits |= PropertyBits.ordered }
    if versionHashModifier == nil { bits |= PropertyBits.withoutHashModifier }
    var members = [
      PropertyList.Member("NSPropertyName", archiver.text(name)),
      PropertyList.Member("NSEntity", entities[entity.name]?.value ?? KeyedArchiver.null),
      PropertyList.Member("NSRenamingIdentifier", archiver.text(renamingIdentifier ?? name)),
      PropertyList.Member("_P", .integer(bits)),
    ]
    if isOptional { members.append(PropertyList.Member("NSIsOptional", .bool(true))) }
    if isTransient { members.append(PropertyList.Member("NSIsTransient", .bool(true))) }
    if let versionHashModifier {
      members.append(
        PropertyList.Member("NSVersionHashModifier", archiver.text(versionHashModifier)))
    }
    if !userInfo.isEmpty {
      members.append(PropertyList.Member("NSUserInfo", self.userInfo(userInfo)))
    }
    return members
  }
}

extension ModelArchive {
  /// Bits of an attribute's `NSFlagsKey`, found in stores that use these settings.
  package static let externalBinaryDataStorage: Int64 = 4
  package static let preservesValueOnDeletion: Int64 = 16
}

extension KeyedArchiver.Class {
  fileprivate static let attributeDescription = Self(
    "NSAttributeDescription", "NSPropertyDescription")
  fileprivate static let derivedAttributeDescription = Self(
    "NSDerivedAttributeDescription", "NSAttributeDescription", "NSPropertyDescription")
  fileprivate static let relationshipDescription = Self(
    "NSRelationshipDescription", "NSPropertyDescription")
  fileprivate static let fetchedPropertyDescription = Self(
    "NSFetchedPropertyDescription", "NSPropertyDescription")
}
