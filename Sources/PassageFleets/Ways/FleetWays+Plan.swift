internal import PassageDiagnostics
internal import PassageEngine
internal import PassageMappings
package import PassageModels
internal import PassageProjects

/// What a call asks for, whatever the stores are.
extension FleetWays {
  /// The version that stores are to have; `nil` if a mapping model names one that is not known.
  package var target: Model? {
    switch wish {
    case .mappings(let mappings): mappings.last.flatMap { project.models[$0.destination.value] }
    case .version(let search): try? search.target().model
    }
  }

  /// Identifies what is asked for, in 16 hexadecimal digits: the version to reach, the names of the
  /// mapping models, and the options that decide what the stores hold. It does not change when a
  /// mapping model is corrected.
  package var plan: String {
    var digest = ContentDigest()
    digest.add("passage fleet 1")
    switch wish {
    case .mappings(let mappings):
      digest.add(mappings.map(\.name))
      digest.add(mappings.last?.destination.value)
    case .version(let search):
      digest.add("version")
      digest.add("\(search.isInferring)")
    }
    digest.add(target?.versionChecksum)
    let companions = options.companions
    digest.add([
      companions.history.rawValue, companions.cloudKit.rawValue, companions.otherTables.rawValue,
      "\(companions.missingFiles)", options.output.type ?? "",
    ])
    return String(digest.text.prefix(16))
  }
}
