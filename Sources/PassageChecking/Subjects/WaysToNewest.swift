internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageProjects

/// How each older version of a history becomes the newest.
struct WaysToNewest: Sequence {
  struct Way {
    enum Kind {
      /// By the mapping models of steps.
      case named
      /// With an inferred mapping model between two versions.
      case inferred(from: String, to: String)
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
    return history.versions.dropLast().map { version in
      Way(version: version, newest: newest, kind: kind(from: version.name.value, to: newest))
    }
  }

  private func kind(from version: String, to newest: String) -> Way.Kind {
    let history = project.project.history
    let named = history.path(from: version, to: newest)
    if let named, !named.contains(where: \.mappings.isEmpty) { return .named }
    guard let steps = history.inferringPath(from: version, to: newest) else {
      return .none("the steps of the history lead elsewhere")
    }
    for step in steps where step.mappings.isEmpty {
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
    }
    let first = steps.first { $0.mappings.isEmpty }
    return first.map { .inferred(from: $0.from.value, to: $0.to.value) } ?? .named
  }
}
