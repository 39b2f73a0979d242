internal import PassageDiagnostics
internal import PassageExpressions
import PassageModels
import PassageValues

/// Attributes that became an entity of their own, and entities that became attributes of another: a
/// draft recognizes them by their names.
extension InferencePass {
  // MARK: An attribute that became an entity

  /// The proposal for a relationship to a new entity: its objects are made from attributes of the
  /// old entity that have no counterpart. `nil` if there are none, and unless this is a draft.
  ///
  /// - Parameter oldName: the attribute that the relationship replaces; `nil` if it has another name.
  mutating func extraction(
    into new: Relationship, of oldName: String?, _ oldEntity: Entity, _ newEntity: Entity
  ) -> PropertyMapping? {
    guard recognizesNames, let end = destination.entity(named: new.destinationEntityName),
      !end.isAbstract, sourceEntity(of: end) == nil
    else { return nil }
    let kept = propertyMatching(oldEntity, newEntity).keptNames
    let attributes = source.attributes(of: oldEntity)
    let lost = attributes.filter {
      $0.isStored && (!kept.contains($0.name) || $0.name == oldName)
    }
    let count = destination.attributes(of: end).count
    guard spendComparisons(attributes.count + lost.count * count) else { return nil }
    let values = extractedValues(of: end, from: lost, for: new, of: oldName, oldEntity)
    guard let first = values.first else { return nil }
    let mapping = extractionMapping(values, into: new, end, oldEntity)
    extractions[end.name, default: []].append(mapping)
    var property = PropertyMapping(
      name: new.name, expression: Self.objects(madeBy: mapping.name.value))
    property.draft = Located(
      "the attribute “\(first.old.name)” seems to have become the entity “\(end.name)”")
    return property
  }

  /// An attribute of a new entity, and the former attribute of another entity with its values.
  private struct ExtractedValue {
    var old: Attribute
    var new: Attribute
    var expression: String
  }

  private func extractedValues(
    of end: Entity, from lost: [Attribute], for relationship: Relationship, of oldName: String?,
    _ oldEntity: Entity
  ) -> [ExtractedValue] {
    let owners = [relationship.name, end.name]
    let targets = destination.attributes(of: end).filter { $0.isStored && $0.derivation == nil }
      .sorted { Self.rank($0) < Self.rank($1) }
    var values: [ExtractedValue] = []
    for old in lost {
      let unused = targets.filter { target in !values.contains { $0.new.name == target.name } }
      let named = unused.filter { Self.isSame(old.name, $0.name, of: owners) }
      let isWhole = old.name == oldName || owners.contains { Self.isSame(old.name, $0, of: []) }
      for new in named + (isWhole ? unused : []) {
        let path = Self.sourcePath(old.name)
        let expression = [
          path.description, AttributeConversion(from: old, to: new.type, at: path)?.expression,
        ].first { accepts($0, for: new, of: oldEntity) }
        guard let expression, let expression else { continue }
        values.append(ExtractedValue(old: old, new: new, expression: expression))
        break
      }
    }
    return values
  }

  private func extractionMapping(
    _ values: [ExtractedValue], into relationship: Relationship, _ end: Entity, _ oldEntity: Entity
  ) -> EntityMapping {
    var name = EntityMapping.defaultName(source: oldEntity.name, destination: end.name)
    let others = extractions[end.name] ?? []
    if others.contains(where: { $0.name.value == name }) { name += " \(relationship.name)" }
    let names = values.map { "“\($0.old.name)”" }.joined(separator: ", ")
    var mapping = EntityMapping(
      name: name, kind: .transform, source: oldEntity.name, destination: end.name,
      filter: Self.filter(values),
      attributes: values.map { PropertyMapping(name: $0.new.name, expression: $0.expression) })
    for new in destination.attributes(of: end)
    where new.isStored && new.derivation == nil && !new.isOptional && new.defaultValue.isNull {
      guard !values.contains(where: { $0.new.name == new.name }),
        let value = firstValue(of: new, oldEntity)
      else { continue }
      mapping.attributeMappings.append(PropertyMapping(name: new.name, expression: value))
    }
    var how = "one object is made for each source object, also for equal values"
    // Where each object has one of its own, nothing is shared.
    if values.count == 1, destination.inverse(of: relationship)?.isToMany != false {
      let value = values[0]
      if relationship.isToMany, value.old.type == .string, value.new.type == .string {
        mapping.forEach = Located("split(\(value.expression), ',')")
        mapping.merge = "trim($element)"
        mapping.attributeMappings[0] = PropertyMapping(
          name: value.new.name, expression: "trim($element)")
        how = "the parts between commas become objects, and equal ones share one object"
      } else {
        mapping.merge = EntityMapping.Merge(value.expression)
        how = "source objects of equal value share one object"
      }
    }
    mapping.draft = Located(
      "the entity “\(end.name)” seems to hold what \(names) of “\(oldEntity.name)” held: \(how)")
    return mapping
  }

  /// The proposals for the objects of a new entity; `nil` if there are none. Their marks say which equal
  /// values become several objects: entity mappings share none.
  func extractedMappings(into name: String) -> [EntityMapping]? {
    guard let mappings = extractions[name], let end = destination.entity(named: name) else {
      return nil
    }
    let unique = Set(
      destination.lineage(of: end).flatMap(\.uniquenessConstraints).flatMap(\.self))
    return mappings.map { mapping in
      var mapping = mapping
      var addition = ""
      let others = mappings.map(\.name.value).filter { $0 != mapping.name.value }
      if mapping.merge != nil, !others.isEmpty {
        let names = others.map { "“\($0)”" }.joined(separator: ", ")
        addition = ", but none with those of \(names)"
      }
      if mapping.merge == nil || !others.isEmpty,
        let attribute = mapping.attributeMappings.first(where: { unique.contains($0.name.value) })
      {
        addition +=
          "; the values of “\(attribute.name.value)” must be unique, so where some are equal, a policy that "
          + "calls findOrInsert has to make the objects"
      }
      mapping.draft = mapping.draft.map { Located($0.value + addition) }
      return mapping
    }
  }

  /// The filter for the objects with a value; `nil` if each has one.
  private static func filter(_ values: [ExtractedValue]) -> String? {
    guard values.allSatisfy(\.old.isOptional) else { return nil }
    return values.map { "\(ValueExpression.path(nil, $0.old.name)) != nil" }
      .joined(separator: " OR ")
  }

  /// The attributes that usually hold the value of an object with one value come first.
  private static func rank(_ attribute: Attribute) -> Int {
    let usual = ["name", "title", "value", "text", "label"]
    return usual.firstIndex(of: attribute.name.lowercased()) ?? usual.count
  }

  // MARK: An entity that became an attribute

  /// The proposal for an attribute that holds what an attribute of a removed entity held. `nil` if
  /// there is none, and unless this is a draft.
  ///
  /// - Parameter oldName: the relationship that the attribute replaces; `nil` if it has another name.
  mutating func absorption(
    into new: Attribute, of oldName: String?, _ oldEntity: Entity, _ newEntity: Entity
  ) -> PropertyMapping? {
    guard recognizesNames else { return nil }
    let kept = propertyMatching(oldEntity, newEntity).keptNames
    let relationships = source.relationships(of: oldEntity)
    guard spendComparisons(relationships.count) else { return nil }
    for relationship in relationships where !relationship.isTransient {
      let isReplaced = relationship.name == oldName
      guard isReplaced || (oldName == nil && !kept.contains(relationship.name)),
        let end = source.entity(named: relationship.destinationEntityName),
        isReplaced || destinationEntity(of: end) == nil
      else { continue }
      guard spendComparisons(source.attributes(of: end).count) else { return nil }
      let owners = [relationship.name, end.name]
      let isWhole = isReplaced || owners.contains { Self.isSame(new.name, $0, of: []) }
      for old in source.attributes(of: end).filter(\.isStored).sorted(by: {
        Self.rank($0) < Self.rank($1)
      }) where isWhole || Self.isSame(new.name, old.name, of: owners) {
        guard
          let expression = Self.absorbed(old, of: relationship, into: new)
            .first(where: { accepts($0, for: new, of: oldEntity) })
        else { continue }
        var property = PropertyMapping(name: new.name, expression: expression)
        property.draft = Located("the entity “\(end.name)” seems to have become this attribute")
        return property
      }
    }
    return nil
  }

  /// Expressions for the values of related objects.
  private static func absorbed(
    _ old: Attribute, of relationship: Relationship, into new: Attribute
  ) -> [String] {
    let path = ValueExpression.path(.variable("source"), relationship.name, old.name)
    guard !relationship.isToMany else { return ["join(', ', \(path))"] }
    return [path.description]
      + [AttributeConversion(from: old, to: new.type, at: path)?.expression].compactMap(\.self)
  }

  // MARK: Names

  /// Whether two names mean the same, ignoring case, a plural's `s`, and the name of an owner before
  /// the second one: `streetName` and `street` of `Address` are not the same, `addressStreet` and
  /// `street` are.
  private static func isSame(_ a: String, _ b: String, of owners: [String]) -> Bool {
    let name = singular(a)
    return name == singular(b)
      || owners.contains {
        singular($0) + singular(b) == name || $0.lowercased() + singular(b) == name
      }
  }

  private static func singular(_ name: String) -> String {
    let name = name.lowercased()
    return name.count > 1 && name.hasSuffix("s") ? String(name.dropLast()) : name
  }
}
