package import PassageDiagnostics
internal import PassageFiles
package import PassageModels
internal import PassageStores

/// The model of a store: the one that Core Data archived in it; if there is none, or one that cannot
/// be read, a guess from its tables, which says why.
package struct StoreModelFormat: ModelFormat {
  package let title = "a store (.sqlite, .xml, .csv, .records, .jsonl)"

  /// The largest compressed model that is read.
  private static let maximumCompressedBytes = 16 << 20

  package init() {}

  package func recognizes(_ file: FoundFile) -> Bool {
    !file.isDirectory
      && (file.firstBytes.starts(with: "SQLite format 3\0".utf8)
        || StoreTypes.builtIn.type(ofFileAt: file.path) != nil)
  }

  package func versions(of file: FoundFile) throws(Diagnostics) -> ModelVersions {
    ModelVersions(names: [file.baseName], current: file.baseName)
  }

  package func read(_ file: FoundFile, version: String?) throws(Diagnostics) -> ReadModel {
    do {
      if let type = StoreTypes.builtIn.type(ofFileAt: file.path) {
        let model = try type.model(path: file.path)
        return try ReadModel(
          checking: model, findings: Diagnostics(), locations: ModelLocations(file: file.path))
      }
      let store = try StoreFile.open(path: file.path)
      let hashes = store.metadata.versionHashes
      guard let compressed = try store.modelCache(maximumBytes: Self.maximumCompressedBytes) else {
        return try GuessedModel.read(store, name: file.baseName)
      }
      let kept: ReadModel
      do throws(Diagnostics) {
        let archive = try decompress(compressed, file: file)
        kept = try CompiledModelReader.read(archive, name: file.baseName, file: file.path)
      } catch {
        return try GuessedModel.read(store, name: file.baseName, inPlaceOf: error)
      }
      var read = kept.recording(hashes, of: file.path)
      read.model = read.model.namingJoinTables(as: store)
      return read
    } catch let refusal as MemoryExceeded {
      throw Diagnostics([refusal.diagnostic])
    } catch let diagnostics as Diagnostics {
      throw diagnostics
    } catch let error as StoreError {
      throw Diagnostics([error.diagnostic])
    } catch let failure as FileSystem.Failure where failure.isOfSystem {
      throw Diagnostics([StoreError(failure, path: file.path).diagnostic])
    } catch {
      throw Diagnostics([
        Diagnostic(
          "MOD-102", "the file cannot be read", at: SourceLocation(file: file.path),
          reason: "\(error)")
      ])
    }
  }

  private func decompress(_ bytes: [UInt8], file: FoundFile) throws(Diagnostics) -> [UInt8] {
    do {
      return try RawDeflate.decompress(bytes, maximumBytes: CompiledModelReader.maximumBytes)
    } catch {
      throw Diagnostics([
        Diagnostic(
          error == .tooLarge ? "MOD-106" : "MOD-126",
          "the model inside the store cannot be decompressed",
          at: SourceLocation(file: file.path), reason: "\(error)",
          remedy: "give the app's model instead")
      ])
    }
  }
}
