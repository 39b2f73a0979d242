internal import PassageExpressions
internal import PassageMappings

extension BoundEntityMapping {
  /// The same, for all objects.
  var withoutFilter: BoundEntityMapping {
    var copy = self
    copy.filter = nil
    return copy
  }

  /// The related objects that the filter and the values read.
  var relatedObjects: [RelatedObjects] {
    (filter?.relatedObjects ?? [])
      + attributes.flatMap { $0.value.relatedObjects + ($0.fallback?.relatedObjects ?? []) }
  }

  /// The look-ups of the filter and the values, without duplicates.
  var lookups: [ObjectLookup] {
    let all =
      (filter?.lookups ?? [])
      + attributes.flatMap { $0.value.lookups + ($0.fallback?.lookups ?? []) }
    var known: Set<ObjectLookup> = []
    return all.filter { known.insert($0).inserted }
  }
}
