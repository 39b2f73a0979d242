internal import Passage
internal import PassagePlatform

/// The conversion of models and mapping models of other formats into a project's folder.
struct Conversion {
  /// The folder that contains `Migrations/` and `Mappings/`, or will contain them.
  let folder: String
  /// The project in the folder; `nil` if there is none yet.
  private let project: Project?
  /// Models that are only used to resolve mapping models.
  private let others: [Model]
  private var versions = ReadVersions()
  /// The mapping models to write, in the order of the call.
  private(set) var mappings: [ReadMappingModel] = []
  /// The remarks of readers and checks.
  private(set) var notes = Diagnostics()

  static let migrations = "Migrations"
  static let mappings = "Mappings"

  /// The models to write, in the order of the versions.
  var models: [Model] { versions.models }

  var history: History { project?.history ?? History(versions: [], steps: []) }

  /// - Parameters:
  ///   - folder: the project's folder; it need not exist.
  ///   - modelPaths: models that are only used to resolve mapping models.
  init(into folder: String, modelPaths: [String], _ mistakes: inout CallMistakes) {
    self.folder = folder
    var project: Project?
    let migrations = "\(folder)/\(Self.migrations)"
    if FileManager.default.fileExists(atPath: "\(migrations)/history.json") {
      do throws(Diagnostics) {
        project = try Project(
          migrationsDirectory: migrations, mappingsDirectory: "\(folder)/\(Self.mappings)")
      } catch {
        mistakes.add(inFiles: error)
      }
    }
    self.project = project
    var others: [Model] = []
    for path in modelPaths {
      do throws(Diagnostics) {
        others += try ReadVersions.versions(at: path).map(\.read.model)
      } catch {
        mistakes.add(inNamedFiles: error)
      }
    }
    self.others = others
  }

  // MARK: Reading

  /// Reads every version of a model.
  mutating func readModels(at path: String, _ mistakes: inout CallMistakes) {
    versions.read(at: path, &notes, &mistakes)
  }

  /// Reads a mapping model. Its models are looked for among those of this call, the additional ones
  /// and those of the project.
  mutating func readMapping(at path: String, _ mistakes: inout CallMistakes) {
    do throws(Diagnostics) {
      let known = models + others + knownModels
      let read = try XcodeMappingReader.read(path: path, among: known)
      let absent = Diagnostics(read.notes.all.filter { $0.code == "IMP-012" }.map(\.asError))
      mistakes.add(inNamedFiles: absent)
      if absent.hasErrors { return }
      notes.append(contentsOf: read.notes)
      for model in [read.source, read.destination].compactMap(\.self) {
        let isThere = (models + knownModels).contains {
          $0.name == model.name && $0.versionHashes == model.versionHashes
        }
        if !isThere { versions.add(model, at: path, &mistakes) }
      }
      mappings.append(read)
    } catch {
      mistakes.add(inNamedFiles: error)
    }
  }

  private var knownModels: [Model] {
    project.map { project in project.versionNames.compactMap { project.models[$0] } } ?? []
  }

  mutating func note(_ diagnostic: Diagnostic) { notes.append(diagnostic) }

  /// The policies of all mapping models, without duplicates, each with all functions that are
  /// called.
  var requiredPolicies: [PolicySignature] {
    var functions: [String: Set<String>] = [:]
    for policy in mappings.flatMap(\.requiredPolicies) {
      functions[policy.name, default: []].formUnion(policy.functions.keys)
    }
    return functions.sorted { $0.key < $1.key }
      .map { PolicySignature(name: $0.key, functionSelectors: $0.value.sorted()) }
  }

  // MARK: Checking

  /// Checks every mapping model against its models. Mistakes become warnings, because the JSON is
  /// meant to be edited. Policies count as registered.
  mutating func check() {
    for (position, read) in mappings.enumerated() {
      guard let source = read.source, let destination = read.destination else { continue }
      let others = mappings.enumerated().filter { other in
        other.offset != position && other.element.mapping.source == read.mapping.source
          && other.element.mapping.destination == read.mapping.destination
      }
      let (_, found) = MappingChecker.check(
        read.mapping, source: source, destination: destination, policies: read.requiredPolicies,
        otherMappings: others.flatMap(\.element.mapping.entityMappings))
      notes.append(contentsOf: Diagnostics(found.all.map(\.asWarning)))
    }
  }
}

extension Diagnostic {
  fileprivate var asError: Diagnostic { with(.error) }

  /// An error as a warning; any other diagnostic unchanged.
  fileprivate var asWarning: Diagnostic { severity == .error ? with(.warning) : self }

  private func with(_ severity: Severity) -> Diagnostic {
    var diagnostic = self
    diagnostic.severity = severity
    return diagnostic
  }
}
