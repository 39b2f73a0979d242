internal import Passage

/// What is asked of the program about a damaged store.
enum DamageCall: String, Sendable, CaseIterable {
  case run, tables, inspect, status, plan, select, pack, install, convert

  /// Whether the store is migrated to one of Core Data's own layout.
  var isMigration: Bool { self == .run }

  /// What it may end with: done, or that the model is not found, no mapping fits, the store is damaged
  /// or its values are not valid. A bug (1), a failed verification (42) and trouble with
  /// the disk (32) are never the answer; a wrong file (65) is one where a model is asked for.
  var clearStatuses: Set<Int32> {
    switch self {
    case .run, .tables, .install: [0, 20, 22, 40, 41]
    case .inspect: [0, 40]
    // The model inside the store may be what is damaged.
    case .pack: [0, 40, 65]
    case .status: [0, 10, 20, 40]
    case .plan: [0, 20, 22, 40]
    case .select: [0, 20, 40, 41]
    // A store that keeps no model is the wrong call.
    case .convert: [0, 40, 64, 65]
    }
  }

  /// The arguments for a store.
  ///
  /// - Parameters:
  ///   - path: the store.
  ///   - output: an empty folder.
  func arguments(_ subject: DamageSubject, path: String, output: String) -> [String] {
    let models = subject.modelPaths.flatMap { ["--models", $0] }
    let version = subject.destination.name
    switch self {
    case .run, .tables:
      let type = self == .tables ? ["--output-type", "tables"] : []
      return ["run", "--store", path, "--output", "\(output)/migrated.sqlite"] + models
        + ["--to", version, "--infer", "--progress", "none"] + type
    case .inspect: return ["inspect", path]
    case .status: return ["status", "--store", path, "--to", version] + models
    case .plan: return ["plan", "--store", path, "--to", version, "--infer"] + models
    case .select:
      return ["select", "--store", path, "--entity", subject.entityName, "--keys"] + models
    case .pack: return ["pack", path, "--output", "\(output)/packed.sqlite"]
    case .install:
      return ["install", "--from", path, "--to", "\(output)/installed.sqlite", "--infer"] + models
        + ["--to-version", version]
    case .convert: return ["convert", path, "--output", "\(output)/project"]
    }
  }

  /// The arguments that compare the result of a migration with its source, object by object.
  static func verification(
    _ subject: DamageSubject, path: String, output: String
  ) -> [String] {
    ["verify", "--store", path, "--output", "\(output)/migrated.sqlite"]
      + subject.modelPaths.flatMap { ["--models", $0] }
      + ["--to", subject.destination.name, "--infer", "--progress", "none"]
  }
}
