internal import Passage

/// Imports every mapping model, and lets the checker judge it against its two models.
struct MappingModelCheck {
  let folder: CorpusFolder
  let pool: ModelPool

  /// - Returns: the mapping models that were imported, by path.
  func run(_ report: inout Report) -> [String: MappingModel] {
    [:]
  }
}
