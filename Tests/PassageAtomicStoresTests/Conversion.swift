import Passage
import PassageEngine
import PassageTesting

/// Copies stores from one type to another, every object as it is.
struct Conversion {
  let model: Model

  /// - Parameter type: of the copy; `nil` for Core Data's layout.
  @discardableResult
  func convert(
    _ source: String, to destination: String, as type: String?, maximumQuarantined: Int = 0,
    types: StoreTypes = .builtIn
  ) throws -> MigrationReport {
    var options = MigrationOptions()
    options.output.type = type
    options.storeTypes = types
    options.copiesStoresAtDestination = true
    options.allowed.quarantined = maximumQuarantined
    return try StoreMigration(
      storePath: source, destination: .file(destination), source: model, destinationModel: model,
      models: [model.name: model], mappings: [InferredMapping.infer(from: model, to: model)],
      policies: PolicyRegistry([]), options: options
    ).run(control: RunControl())
  }

  /// The error of a conversion that must fail; `nil` when it does not.
  func failure(_ source: String, to destination: String, as type: String?) -> MigrationError? {
    do {
      try convert(source, to: destination, as: type)
      return nil
    } catch {
      return error as? MigrationError
    }
  }

  func contents(_ path: String) throws -> StoreContents {
    try StoreContents(path: path, model: model)
  }
}
