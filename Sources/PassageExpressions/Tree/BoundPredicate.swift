package import PassageDiagnostics

/// A predicate whose names are resolved and whose types are checked: ready for
/// ``CompiledPredicate`` and ``SQLTranslator``.
package struct BoundPredicate: Sendable {
  /// One of the conditions that are joined by `AND`.
  struct Part: Sendable {
    var tree: ObjectPredicate
    var condition: BoundCondition
  }

  let parts: [Part]
  /// The cells it reads, in the order of their first use; the object's own key is not among them.
  package let keyPaths: [ResolvedKeyPath]
  /// The collections of objects it walks through, by their numbers. Their cells are not among
  /// ``keyPaths``.
  package let relatedObjects: [RelatedObjects]
  /// The tables of objects it looks values up in.
  package let lookups: [ObjectLookup]
  /// The program's own functions that it calls, in the order of their first use; a call that was
  /// computed while the names were resolved is among them.
  package let registeredFunctions: [ValueFunction]
  /// Warnings only.
  package let warnings: Diagnostics

  var condition: BoundCondition {
    parts.count == 1 ? parts[0].condition : .and(parts.map(\.condition))
  }

  /// Whether a registered function is called: such a predicate runs in memory only.
  package var callsPolicy: Bool { condition.callsPolicy }

  /// The answer, when it is the same for every object.
  package var constantValue: Bool? {
    if case .truth(let value) = condition { value } else { nil }
  }
}

extension BoundPredicate {
  /// The conditions that it joins by `AND`, in their order; itself alone where there is one.
  ///
  /// The predicate holds where all of them do. They share ``relatedObjects``, so that those compiled
  /// one by one may be given one reader; ``keyPaths`` are those of each.
  package var conjuncts: [BoundPredicate] { parts.map { taking([$0]) } }

  /// The conditions of some of its ``conjuncts``, joined by `AND` in the order given.
  package func joining(_ conjuncts: [BoundPredicate]) -> BoundPredicate {
    taking(conjuncts.flatMap(\.parts))
  }

  /// As it is written in the format language.
  package var text: String {
    parts.count == 1
      ? parts[0].tree.description : ObjectPredicate.and(parts.map(\.tree)).description
  }

  /// Whether its evaluation can fail for an object, as a function does that cannot read a value.
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
