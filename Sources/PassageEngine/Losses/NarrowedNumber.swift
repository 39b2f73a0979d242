internal import PassageExpressions
internal import PassageMappings
internal import PassageModels

/// A number that an entity mapping copies, although the destination's type cannot hold all that the
/// source's can.
struct NarrowedNumber {
  /// The attributes' names.
  let source: String
  let destination: String
  let limits: NumberLimits

  /// Those of a mapping whose objects are made without a policy's code and of whole rows.
  ///
  /// - Parameter computed: what is counted where it is written.
  static func all(
    of mapping: BoundEntityMapping, except computed: ComputedNumbers
  ) -> [NarrowedNumber] {
    guard copiesRows(mapping), let destination = mapping.destination else { return [] }
    return mapping.attributes.compactMap { bound in
      guard let read = copiedAttribute(of: bound, in: mapping),
        let limits = NumberLimits(from: read.type, to: bound.attribute.type),
        !isComputed(bound, of: mapping), !computed.contains(bound.attribute, of: destination)
      else { return nil }
      return NarrowedNumber(
        source: read.name, destination: bound.attribute.name, limits: limits)
    }
  }

  /// Whether an attribute of a mapping that copies one of the object itself is counted in the source.
  static func isCountedInSource(_ bound: BoundAttribute, of mapping: BoundEntityMapping) -> Bool {
    // Of objects that become one, not all keep their numbers.
    copiesRows(mapping) && mapping.merge == nil
      && copiedAttribute(of: bound, in: mapping) != nil
  }

  /// Whether an attribute has a number that is computed from those of the objects that become one. The value
  /// that is combined may be a copy.
  private static func isComputed(_ bound: BoundAttribute, of mapping: BoundEntityMapping) -> Bool {
    let combination = mapping.combinations.first { $0.attribute.name == bound.attribute.name }
    return switch combination?.function {
    case .sum, .average, .count: true
    case .first, .last, .min, .max, nil: false
    }
  }

  private static func copiesRows(_ mapping: BoundEntityMapping) -> Bool {
    mapping.mapping.policy == nil && mapping.elements == nil
  }

  private static func copiedAttribute(
    of bound: BoundAttribute, in mapping: BoundEntityMapping
  ) -> Attribute? {
    bound.value.keyPaths.allSatisfy(\.relationships.isEmpty)
      ? mapping.copiedAttribute(of: bound) : nil
  }
}
