internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning

/// What decides the result of a step, as digests: two steps with the same one make the same store of
/// the same source.
///
/// How fast they run makes no difference: the size of a batch, threads and lanes are not part of it, nor
/// are the places of files.
struct StepIdentity {
  /// Both models, the mapping models and the options, without code of the program.
  let plan: String
  /// The same, with the revisions that policies and functions give: what a finished store records.
  let digest: String
  /// The code of each pass.
  let code: [PassCode]

  init(_ step: PlannedStep, options: MigrationOptions, policies: PolicyRegistry) {
    var digest = ContentDigest()
    digest.add("passage step 1")
    digest.add(options.companions.history == .leaveOut ? "without history" : "with history")
    digest.add(
      options.companions.missingFiles == .drop ? "without missing files" : "with missing files")
    digest.add(model: step.source)
    digest.add(model: step.destination)
    for pass in step.passes { digest.add(mapping: pass.model) }
    plan = digest.text
    code = step.passes.map { PassCode($0, policies: policies) }
    for pass in code { digest.add(pass.revisions) }
    self.digest = digest.text
  }
}

extension ContentDigest {
  /// Everything a model says. Where its hashes are from makes no difference, only what they are.
  fileprivate mutating func add(model: Model) {
    var plain = model
    plain = Model(
      name: model.name, versionIdentifiers: model.versionIdentifiers,
      entities: model.entities.map { entity in
        var entity = entity
        entity.recordedVersionHash = nil
        return entity
      }, configurations: model.configurations, fetchRequestTemplates: model.fetchRequestTemplates)
    add(ModelDocument.encode(plain, schema: nil))
    add(model.versionChecksum)
    for entity in model.entities {
      // A default of another kind than its attribute's type has no form in a model's text.
      for attribute in entity.attributes { add("\(attribute.defaultValue)") }
    }
  }

  /// Everything a mapping model says but the file it was read from.
  fileprivate mutating func add(mapping model: MappingModel) {
    add([model.name, model.source.value, model.destination.value, model.nullSemantics.rawValue])
    add(model.variables.mapValues { $0.expressionText })
    add(["\(model.entityMappings.count)"])
    for mapping in model.entityMappings {
      add([mapping.name.value, mapping.kind.rawValue])
      add(mapping.sourceEntityName?.value)
      add(mapping.destinationEntityName?.value)
      add(mapping.filter?.value)
      add(mapping.policy?.name.value)
      add(mapping.policy?.userInfo ?? [:])
      for properties in [mapping.attributeMappings, mapping.relationshipMappings] {
        add(["\(properties.count)"])
        for property in properties {
          add(property.name.value)
          switch property.source {
          case .sameName: add("same name")
          case .leftAtDefault: add("default")
          case .expression(let text): add(["expression", text.value])
          }
          add(property.fallback?.value)
        }
      }
    }
  }
}
