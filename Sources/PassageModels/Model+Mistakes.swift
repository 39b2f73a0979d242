package import PassageDiagnostics

extension Model {
  /// The errors that ``ModelChecker`` finds in a model that was made in code. One that a reader made has none:
  /// it has been checked already, with its places.
  ///
  /// A property that is inherited and declared again in the same way is none, as in a file, and names need
  /// not be identifiers.
  ///
  /// - Complexity: that of ``ModelChecker/check(_:locations:takesAnyName:)`` for the first of all copies, then
  ///   O(1).
  package var mistakes: [Diagnostic] {
    knownMistakes.value {
      let (whole, _) = withoutRepeatedProperties(locations: ModelLocations())
      return ModelChecker.check(whole, takesAnyName: true).errors
    }
  }

  /// Notes that a reader has found no mistake.
  func noteChecked() { _ = knownMistakes.value { [] } }

  /// The model with entities that are those of this one but for what is recorded beside their shape: it has
  /// the same mistakes.
  package func recording(entities: [Entity]) -> Model {
    let model = Model(
      name: name, versionIdentifiers: versionIdentifiers, entities: entities,
      configurations: configurations, fetchRequestTemplates: fetchRequestTemplates)
    let own = mistakes
    _ = model.knownMistakes.value { own }
    return model
  }
}
