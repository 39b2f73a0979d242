package import PassageDiagnostics

/// A predicate with resolved names and checked types, for ``CompiledPredicate`` and
/// ``SQLTranslator``.
package struct BoundPredicate: Sendable {
  /// One of the conditions that are joined by `AND`.
  struct Part: Sendable {
    var tree: ObjectPredicate
    var condition: BoundCondition
  }

  let parts: [Part]
  /// The cells it reads, in the order of their first use, without the object's own key.
  package let keyPaths: [ResolvedKeyPath]
  /// The collections of objects that it reads, by their numbers. Their cells are not in
  /// ``keyPaths``.
  package let relatedObjects: [RelatedObjects]
  /// The tables in which it looks up values.
  package let lookups: [ObjectLookup]
  /// The program's own functions that it calls, in the order of their first use, including calls
  /// that were evaluated while names were resolved.
  package let registeredFunctions: [ValueFunction]
  /// Warnings only.
  package let warnings: Diagnostics

  var condition: BoundCondition {
    parts.count == 1 ? parts[0].condition : .and(parts.map(\.condition))
  }

  /// Whether it calls a policy's function. If so, it can only be evaluated in memory.
  package var callsPolicy: Bool { condition.callsPolicy }

  /// The result, if it is the same for every object.
  package var constantValue: Bool? {
    if case .truth(let value) = condition { value } else { nil }
  }
}

extension BoundPredicate {
  /// The conditions that it joins by `AND`, in their order; the predicate itself if there is only
  /// one.
  ///
  /// The predicate is true if all of them are. They share ``relatedObjects``, so that separately
  /// compiled conditions can use one reader; each has its own ``keyPaths``.
  package var conjuncts: [BoundPredicate] { parts.map { taking([$0]) } }

  /// The conditions of some of its ``conjuncts``, joined by `AND` in the order given.
  package func joining(_ conjuncts: [BoundPredicate]) -> BoundPredicate {
    taking(conjuncts.flatMap(\.parts))
  }

  /// The predicate in the format language.
  package var text: String {
    parts.count == 1
      ? parts[0].tree.description : ObjectPredicate.and(parts.map(\.tree)).description
  }

  /// Whether its evaluation can fail for an object, for instance in a function that cannot read a
  /// value.
  ///
  /// In SQL such a failure does not name the object.
  package var canFail: Bool { parts.contains { $0.condition.canFail } }

  private func taking(_ parts: [Part]) -> BoundPredicate {
    var reads = Set<ResolvedKeyPath>()
    for part in parts { part.condition.collectCells(&reads) }
    return BoundPredicate(
      parts: parts, keyPaths: keyPaths.filter { reads.contains($0) },
      relatedObjects: relatedObjects, lookups: lookups,
      registeredFunctions: registeredFunctions, warnings: warnings)
  }
}
