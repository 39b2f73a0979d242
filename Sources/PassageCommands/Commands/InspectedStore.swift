internal import Passage

/// A store and the model that describes it.
struct InspectedStore {
  let path: String
  let places: ProjectPlaces

  /// Describes the store.
  ///
  /// - Throws: ``MigrationError``; `StoreError` for a store that cannot be opened.
  func facts() throws -> StoreReport.Facts {
    let store = try StoreFile.open(path: path)
    let description = try store.describe()
    let (model, source, remarks) = try model(of: description.versionHashes)
    var counts: [String: Int64]?
    var layoutError: String?
    if let model {
      do throws(StoreError) {
        counts = try store.objectCounts(store.layout(of: model)).byEntity
      } catch {
        guard error.kind == .layoutMismatch else { throw error }
        layoutError = error.diagnostic.reason ?? error.diagnostic.message
      }
    }
    return StoreReport.Facts(
      description: description, metadata: store.metadata, model: model, modelSource: source,
      remarks: remarks, counts: counts, layoutError: layoutError)
  }

  /// The known model with exactly these hashes, or the model archived in the store, or a guess. If
  /// the project cannot be read, no model is known; that is an error only if it was named.
  private func model(
    of hashes: [String: [UInt8]]
  ) throws -> (model: Model?, source: StoreReport.ModelSource, remarks: [String]) {
    var mistakes = CallMistakes(diskState: nil)
    let known = try ProjectReader(places).project(&mistakes)?.adoptingHashes(ofStoreAt: path)
    let isNamed = places.migrations != nil || !places.models.isEmpty
    if isNamed { try mistakes.throwIfErrors() }
    if let model = known?.model(withHashes: hashes) {
      return (model, .known, (known?.adoptedHashes ?? []).map { "\($0)" })
    }
    do throws(Diagnostics) {
      let own = try ModelFile.load(path: path)
      let remarks = own.remarks.all.filter { $0.code != "MOD-127" && $0.code != "MOD-024" }
        .map { remark in remark.reason.map { "\(remark.message): \($0)" } ?? remark.message }
      return (own.model, own.isGuessed ? .guessed : .kept, remarks)
    } catch {
      return (nil, .none, error.all.map { "\($0.code): \($0.message)" })
    }
  }

  /// The models of the project and the other named ones; empty if they cannot be read.
  var knownModels: [Model] {
    var mistakes = CallMistakes(diskState: nil)
    return ProjectReader(places).project(&mistakes).map { Array($0.models.all.values) } ?? []
  }
}
