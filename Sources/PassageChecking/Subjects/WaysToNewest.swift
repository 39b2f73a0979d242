internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageProjects

/// How each older version of a history becomes the newest. A version whose model a newer one has too is
/// left out: its stores are at the newer one.
struct WaysToNewest: Sequence {
  struct Way {
    enum Kind {
      /// By the mapping models of steps.
      case named
      /// With inferred mapping models for these steps.
      case inferred([History.Step])
      /// Not at all, and why not even inferred ones help.
      case none(String)
    }

    var version: History.Version
    var newest: String
    var kind: Kind
  }

  private let project: CheckedProject

  init(_ project: CheckedProject) { self.project = project }

  func makeIterator() -> IndexingIterator<[Way]> { ways.makeIterator() }

  private var ways: [Way] {
    let history = project.project.history
    guard let newest = history.versions.last?.name.value else { return [] }
    return history.versions.dropLast().filter(isNewestOfItsModel).map { version in
      Way(version: version, newest: newest, kind: kind(from: version.name.value, to: newest))
    }
  }

  private func isNewestOfItsModel(_ version: History.Version) -> Bool {
    guard let model = project.project.models[version.name.value] else { return true }
    return project.project.model(withHashes: model.versionHashes)?.name == model.name
  }

  private func kind(from version: String, to newest: String) -> Way.Kind {
    let history = project.project.history
    let named = history.path(from: version, to: newest)
    if let named, !named.contains(where: \.mappings.isEmpty) { return .named }
    guard let steps = history.inferringPath(from: version, to: newest) else {
      return .none("the steps of the history lead elsewhere")
    }
    let unnamed = steps.filter(\.mappings.isEmpty)
    var inferred: [History.Step] = []
    for step in unnamed {
      guard let source = project.project.models[step.from.value],
        let destination = project.project.models[step.to.value],
        source.versionHashes != destination.versionHashes
      else { continue }
      do {
        _ = try InferredMapping.infer(from: source, to: destination)
      } catch {
        return .none(
          "no mapping model leads from “\(source.name)” to “\(destination.name)”, and none can be "
            + "inferred: \(error.errors.first?.message ?? "")")
      }
      inferred.append(step)
    }
    // Between versions of one model there is nothing to infer, but still no step.
    return .inferred(inferred.isEmpty ? unnamed : inferred)
  }
}
