internal import Foundation
internal import Passage

/// Every model of the folder, read, with its version hashes.
struct ModelPool {
  /// One version.
  struct Entry {
    /// The path that names it: `Notes.xcdatamodeld:Notes 2`.
    var path: String
    /// The bundle or file it is in.
    var item: String
    var read: ReadModel
    var hashes: [String: [UInt8]]
    var isCompiled: Bool

    var model: Model { read.model }
  }

  /// In the order of the bundles' paths, then of the versions.
  let entries: [Entry]

  /// Reads every model, and judges whether it is read without a mistake and survives JSON.
  init(folder: CorpusFolder, report: inout Report) {
    var entries: [Entry] = []
    for item in folder.items where item.kind == .xcodeModel || item.kind == .compiledModel {
      do {
        let versions = try ModelFile.list(path: folder.location(item.path))
        let isBundle = ["xcdatamodeld", "momd"].contains(
          URL(fileURLWithPath: item.path).pathExtension)
        if isBundle { Self.checkCurrent(versions, item.path, folder, &report) }
        for name in isBundle ? versions.names : [""] {
          let path = isBundle ? "\(item.path):\(name)" : item.path
          if let read = Self.read(path, folder, &report) {
            entries.append(
              Entry(
                path: path, item: item.path, read: read, hashes: read.model.versionHashes,
                isCompiled: item.kind == .compiledModel))
          }
        }
      } catch {
        report.fail(.models, item.path, "\(error)")
      }
    }
    self.entries = entries
  }

  private static func checkCurrent(
    _ versions: ModelVersions, _ item: String, _ folder: CorpusFolder, _ report: inout Report
  ) {
    do {
      let name = try ModelFile.read(path: folder.location(item)).name
      if let current = versions.current, name != current {
        report.fail(.models, item, "the current version is \(current), read was \(name)")
      }
    } catch {
      report.fail(.models, item, "\(error)")
    }
  }

  private static func read(
    _ path: String, _ folder: CorpusFolder, _ report: inout Report
  ) -> ReadModel? {
    do {
      let read = try ModelFile.load(path: folder.location(path))
      let text = ModelDocument.encode(read.model)
      let again = try ModelDocument.decode(Array(text.utf8), file: "model.json")
      var mistakes = read.remarks.all.filter { $0.code == "MOD-105" }.map(\.description)
      if again != read.model { mistakes.append("the model's JSON is read as another model") }
      if read.model.entities.isEmpty { mistakes.append("the model has no entities") }
      report.judge(.models, path, mistakes)
      return read
    } catch {
      report.fail(.models, path, "\(error)")
      return nil
    }
  }

  /// The Xcode models with exactly these hashes, those in the same folder first.
  func models(hashes: [String: [UInt8]], near item: String) -> [Entry] {
    let found = entries.filter { !$0.isCompiled && $0.hashes == hashes }
    let series = CorpusFolder.series(item)
    return found.filter { CorpusFolder.series($0.item) == series }
      + found.filter { CorpusFolder.series($0.item) != series }
  }

  /// The versions of one bundle of Xcode models, in their order.
  func versions(of item: String) -> [Entry] { entries.filter { $0.item == item } }

  /// Every bundle of Xcode models, sorted.
  var bundles: [String] {
    Set(entries.filter { !$0.isCompiled }.map(\.item)).sorted()
  }

  /// What makes the nearest model another one, in words.
  func nearest(hashes: [String: [UInt8]]) -> String {
    let all = entries.filter { !$0.isCompiled }
      .map { Compatibility(recordedHashes: hashes, model: $0.model) }
    let nearest = all.min {
      $0.changed.count + $0.onlyInModel.count + $0.onlyInStore.count
        < $1.changed.count + $1.onlyInModel.count + $1.onlyInStore.count
    }
    return nearest?.description ?? "there is no model"
  }
}
