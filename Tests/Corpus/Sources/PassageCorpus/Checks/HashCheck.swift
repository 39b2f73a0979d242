internal import Passage

/// Holds the version hashes, digests and checksums of the Xcode models against those that stores and
/// compiled models record.
struct HashCheck {
  let folder: CorpusFolder
  let pool: ModelPool

  func run(_ report: inout Report) {
    for store in folder.paths(.store) {
      do {
        let record = try StoreCopy.read(folder.location(store)) { try StoreRecord(path: $0) }
        let models = pool.models(hashes: record.hashes, near: store)
        guard let model = models.first?.model else {
          report.fail(
            .hashes, store, "no model here has its hashes; \(pool.nearest(hashes: record.hashes))",
            count: record.hashes.count)
          continue
        }
        report.pass(.hashes, store, count: record.hashes.count)
        compare(record.digest, model.versionHashesDigest, "digest", store, &report)
        compare(record.checksum, model.versionChecksum, "checksum", store, &report)
      } catch {
        report.fail(.hashes, store, "\(error)")
      }
    }
    for bundle in folder.paths(.compiledModel) {
      do {
        guard let record = try VersionRecord(bundle: folder.location(bundle)) else { continue }
        for (version, hashes) in record.hashes.sorted(by: { $0.key < $1.key }) {
          check(version, hashes, record.checksums[version], bundle, &report)
        }
      } catch {
        report.fail(.hashes, bundle, "\(error)")
      }
    }
  }

  /// One version of a compiled bundle: the compiled model, and the Xcode model where it is here.
  private func check(
    _ version: String, _ hashes: [String: [UInt8]], _ checksum: String?, _ bundle: String,
    _ report: inout Report
  ) {
    let item = "\(bundle):\(version)"
    let compiled = pool.entries.first { $0.path == item }
    let sources = pool.models(hashes: hashes, near: bundle)
      .filter { $0.model.name == version }
    let candidates = [compiled].compactMap(\.self) + sources
    let different = candidates.filter { $0.hashes != hashes }
    guard different.isEmpty, !sources.isEmpty else {
      let nearest = pool.nearest(hashes: hashes)
      report.fail(
        .hashes, item,
        different.isEmpty ? "no Xcode model here has its hashes; \(nearest)" : nearest,
        count: hashes.count)
      return
    }
    for entry in candidates {
      report.pass(.hashes, item, count: entry.hashes.count)
      compare(checksum, entry.model.versionChecksum, "checksum", item, &report)
    }
  }

  private func compare(
    _ recorded: String?, _ computed: String, _ what: String, _ item: String, _ report: inout Report
  ) {
    guard let recorded else { return }
    if recorded == computed {
      report.pass(.digests, item)
    } else {
      report.fail(.digests, item, "the \(what) is \(computed), recorded is \(recorded)")
    }
  }
}
