internal import Passage
internal import PassageTesting

/// Holds the layout of a store created from scratch against every store of a known model: tables, columns, their
/// order and types, join tables, indexes, entity numbers.
struct LayoutCheck {
  let folder: CorpusFolder
  let pool: ModelPool

  func run(_ report: inout Report) {
    var counts: [LayoutComparison.Part: (equal: Int, all: Int)] = [:]
    for store in folder.paths(.store) {
      do {
        let copy = try StoreCopy(of: folder.location(store))
        let record = try StoreRecord(path: copy.path)
        // Without a model there is no layout to hold against it; the hashes' check says so.
        guard let model = pool.models(hashes: record.hashes, near: store).first?.model else {
          continue
        }
        let comparison = try LayoutComparison(storeAt: copy.path, model: model)
        for (part, equal, all) in comparison.counts {
          let before = counts[part] ?? (0, 0)
          counts[part] = (before.equal + equal, before.all + all)
        }
        judge(comparison, store, &report)
      } catch {
        report.fail(.layouts, store, "\(error)")
      }
    }
    let parts = LayoutComparison.Part.allCases.compactMap { part in
      counts[part].map { "\(part.rawValue) \($0.equal) of \($0.all)" }
    }
    report.remark("equal to the letter in the stores' schemas: \(parts.joined(separator: ", "))")
  }

  private func judge(
    _ comparison: LayoutComparison, _ store: String, _ report: inout Report
  ) {
    let different = comparison.differences
    guard different.isEmpty, comparison.equalCount > 0 else {
      let lines = different.prefix(5).map {
        "\($0.part.rawValue) \($0.name): expected \($0.expected ?? "none"), "
          + "found \($0.found ?? "none")"
      }
      report.fail(.layouts, store, lines.joined(separator: "\n"))
      return
    }
    report.pass(.layouts, store)
    for (exception, names) in comparison.exceptions {
      report.excuse(
        .layouts, store, names.joined(separator: ", "), reason: exception.rawValue)
    }
  }
}
