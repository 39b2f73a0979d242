internal import Passage

/// Imports every mapping model, and lets the checker judge it against its two models: those of its
/// series, or where the series is not here, those it keeps itself.
struct MappingModelCheck {
  let folder: CorpusFolder
  let pool: ModelPool

  /// - Returns: the mapping models that were imported, by path.
  func run(_ report: inout Report) -> [String: MappingModel] {
    var imported: [String: MappingModel] = [:]
    for path in folder.paths(.mappingModel) {
      let series = CorpusFolder.series(path)
      let models = pool.entries.filter { !$0.isCompiled && CorpusFolder.series($0.item) == series }
      do {
        let read = try XcodeMappingReader.read(
          path: folder.location(path), among: models.map(\.model))
        imported[path] = read.mapping
        report.judge(.mappings, path, try mistakes(read))
      } catch {
        report.fail(.mappings, path, "\(error)")
      }
    }
    return imported
  }

  private func mistakes(_ read: ReadMappingModel) throws -> [String] {
    guard let source = read.source, let destination = read.destination else {
      return ["its models are neither here nor kept in it"]
    }
    var mistakes = read.notes.warnings.map(\.description)
    if read.mapping.entityMappings.isEmpty { mistakes.append("it has no entity mappings") }
    let text = MappingDocument.encode(read.mapping)
    if try MappingDocument.decode(Array(text.utf8), file: "mapping.json") != read.mapping {
      mistakes.append("its JSON is read as another mapping model")
    }
    let (_, findings) = MappingChecker.check(
      read.mapping, source: source, destination: destination,
      policies: try signatures(of: read.mapping))
    return mistakes + findings.errors.map(\.description)
  }

  /// What a program would have to register: every policy, with the functions that are called.
  private func signatures(of mapping: MappingModel) throws -> [PolicySignature] {
    var selectors: [String: [String]] = [:]
    for entity in mapping.entityMappings {
      guard let policy = entity.policy?.name.value else { continue }
      selectors[policy, default: []] += try entity.attributeMappings.compactMap { property in
        guard case .expression(let text) = property.source,
          case .function(.variable("entityPolicy", _)?, let selector, _, _) =
            try FormatParser.expression(text.value)
        else { return nil }
        return selector
      }
    }
    return selectors.map { PolicySignature(name: $0.key, functionSelectors: $0.value) }
  }
}
