package import PassageDiagnostics

/// A place of a draft that a person must decide: an entity mapping or one of its properties.
package struct DraftMark: Sendable, Hashable {
  /// The name of the entity mapping.
  package var entityMapping: String
  /// The property; `nil` for the entity mapping itself.
  package var property: String?
  /// Why it is only a proposal.
  package var reason: Located<String>
}

extension MappingModel {
  /// The marks that are left, in the order of the mapping model.
  package var draftMarks: [DraftMark] { entityMappings.flatMap(\.draftMarks) }
}

extension EntityMapping {
  /// The marks that are left: of the entity mapping itself, then of its properties.
  package var draftMarks: [DraftMark] {
    let own = draft.map { DraftMark(entityMapping: name.value, property: nil, reason: $0) }
    return [own].compactMap(\.self)
      + (attributeMappings + relationshipMappings).compactMap { property in
        property.draft.map {
          DraftMark(entityMapping: name.value, property: property.name.value, reason: $0)
        }
      }
  }
}
