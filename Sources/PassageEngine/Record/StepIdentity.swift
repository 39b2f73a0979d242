internal import PassageDiagnostics
internal import PassageExpressions
internal import PassageMappings
internal import PassageModels
internal import PassagePlanning
internal import PassageValues

/// Digests of everything that decides the result of a step. Two steps with the same digest make the
/// same store from the same source.
///
/// What only affects speed is not included, such as the batch size, threads and lanes; nor are the
/// paths of files.
struct StepIdentity {
  /// A digest of both models, the mapping models and the options, without the program's code.
  let plan: String
  /// The same, with the revisions that policies and functions declare; a finished store records it.
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
  /// Adds everything that a model says, including its hashes, but not where they come from.
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
      // The text form of a model omits a default value that does not match the type of its
      // attribute.
      for attribute in entity.attributes { add(attribute.defaultValue.debugDescription) }
    }
  }

  /// Adds everything that a mapping model says, but not the file it was read from.
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
      // What a mapping does not have changes nothing, so that digests of earlier versions stay.
      if let list = mapping.forEach { add(["forEach", list.value]) }
      if let merge = mapping.merge { add(["mergeBy", merge.value.value, merge.kept.rawValue]) }
      for object in mapping.addedObjects {
        add(["object"] + object.values.flatMap { [$0.name.value, $0.value.expressionText] })
      }
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
          if let combination = property.combination { add(["combine", combination.rawValue]) }
          for key in property.sortKeys {
            add(["sortedBy", key.value.value, "\(key.isAscending)"])
          }
        }
      }
    }
  }
}
