internal import PassageDiagnostics
internal import PassageMappings
internal import PassageModels
internal import PassageStores

/// A mapping model while it is being read: the contents of its file, and the models in it.
struct MappingReading {
  private let name: String
  private let file: String
  private let foreign: ForeignMapping
  private let embeddedSource: ReadModel?
  private let embeddedDestination: ReadModel?
  /// Why a model in the file cannot be read. It does not matter if the caller gives that model.
  private let sourceFailure: Diagnostics?
  private let destinationFailure: Diagnostics?
  private var notes: Diagnostics

  init(_ bytes: [UInt8], name: String, file: String) throws(Diagnostics) {
    self.name = name
    self.file = file
    (foreign, notes) =
      bytes.starts(with: "bplist".utf8)
      ? try Self.compiled(bytes, file: file) : try Self.edited(bytes, file: file)
    (embeddedSource, sourceFailure) = Self.model(
      foreign.source, name: foreign.source.name ?? "\(name) source")
    (embeddedDestination, destinationFailure) = Self.model(
      foreign.destination, name: foreign.destination.name ?? "\(name) destination")
  }

  private static func edited(
    _ bytes: [UInt8], file: String
  ) throws(Diagnostics) -> (ForeignMapping, Diagnostics) {
    var decoder = XcodeMappingDecoder(try XMLStoreDocument.read(bytes, file: file), file: file)
    let mapping = decoder.mapping()
    try decoder.findings.throwIfErrors()
    return (mapping, decoder.findings)
  }

  private static func compiled(
    _ bytes: [UInt8], file: String
  ) throws(Diagnostics) -> (ForeignMapping, Diagnostics) {
    let place = SourceLocation(file: file)
    var part = "the mapping model"
    do {
      let archive = try KeyedArchive(bytes)
      let root = try archive.root()
      let classes = try archive.classNames(of: root)
      guard classes.contains("NSMappingModel") else {
        throw Diagnostics([
          Diagnostic(
            "IMP-002",
            "the archive contains an object of class \(classes[0]) instead of a mapping "
              + "model",
            at: place, remedy: "give a .cdm file, or an .xcmappingmodel")
        ])
      }
      var decoder = CompiledMappingDecoder(archive, file: file)
      defer { part = decoder.part }
      let mapping = try decoder.mapping(root)
      try decoder.findings.throwIfErrors()
      return (mapping, decoder.findings)
    } catch let diagnostics as Diagnostics {
      throw diagnostics
    } catch KeyedArchiveError.tooLarge, KeyedArchiveError.propertyList(.tooLarge) {
      throw Diagnostics([
        Diagnostic(
          "IMP-007", "the archive of \(part) has too many objects", at: place,
          reason: "at most \(CompiledMappingDecoder.maximumParts) mappings are read")
      ])
    } catch {
      throw Diagnostics([
        Diagnostic("IMP-006", "\(part) cannot be read", at: place, reason: "\(error)")
      ])
    }
  }

  private static func model(
    _ reference: ForeignModelReference, name: String
  ) -> (ReadModel?, Diagnostics?) {
    guard let archive = reference.archive, let place = reference.location else { return (nil, nil) }
    do throws(Diagnostics) {
      return (try EmbeddedModelReader.read(archive, name: name, at: place), nil)
    } catch {
      return (nil, error)
    }
  }

  // MARK: Models

  func read(source: Model?, destination: Model?) throws(Diagnostics) -> ReadMappingModel {
    var notes = notes
    notes.append(contentsOf: staleness(foreign.source, embeddedSource, given: source))
    notes.append(
      contentsOf: staleness(foreign.destination, embeddedDestination, given: destination))
    notes.append(contentsOf: absence(of: "source", source, embeddedSource, sourceFailure))
    notes.append(
      contentsOf: absence(
        of: "destination", destination, embeddedDestination, destinationFailure))
    let source = source ?? embeddedSource?.model
    let destination = destination ?? embeddedDestination?.model
    var resolver = MappingResolver(source: source, destination: destination)
    var mapping = MappingModel(
      name: name, source: source?.name ?? foreign.source.name ?? "",
      destination: destination?.name ?? foreign.destination.name ?? "",
      entityMappings: resolver.entityMappings(of: foreign))
    mapping.file = file
    notes.append(contentsOf: resolver.findings)
    try notes.throwIfErrors()
    return ReadMappingModel(
      mapping: mapping, source: source, destination: destination, embeddedSource: embeddedSource,
      embeddedDestination: embeddedDestination, notes: notes)
  }

  func read(among models: [Model]) throws(Diagnostics) -> ReadMappingModel {
    let sources = candidates(foreign.source, embeddedSource, among: models)
    let destinations = candidates(foreign.destination, embeddedDestination, among: models)
    // A compiled mapping model records only the hashes of mapped entities, which several versions
    // may share. It does not lead from a version to itself.
    let pair =
      sources.lazy.flatMap { source in destinations.lazy.map { (source, $0) } }
      .first { $0.versionHashes != $1.versionHashes }
    var read = try read(
      source: pair?.0 ?? sources.first, destination: pair?.1 ?? destinations.first)
    for (side, given, embedded) in [
      ("source", sources.first, embeddedSource),
      ("destination", destinations.first, embeddedDestination),
    ] where given == nil && embedded != nil && !models.isEmpty {
      read.notes.append(
        Diagnostic(
          "IMP-026", "the \(side) model inside the mapping model is used", severity: .note,
          at: SourceLocation(file: file),
          reason: "none of the given models has its version hashes or the name "
            + "“\(embedded?.model.name ?? "")”"))
    }
    return read
  }

  /// The models that the file may refer to: those with its version hashes, or otherwise those with
  /// its name.
  private func candidates(
    _ reference: ForeignModelReference, _ embedded: ReadModel?, among models: [Model]
  ) -> [Model] {
    let equal = models.filter { model in
      if let embedded { return model.versionHashes == embedded.model.versionHashes }
      guard !reference.versionHashes.isEmpty else { return false }
      let hashes = model.versionHashes
      return reference.versionHashes.allSatisfy { hashes[$0.key] == $0.value }
    }
    return equal.isEmpty ? models.filter { $0.name == reference.name } : equal
  }

  /// The finding for a model that the file should contain and does not.
  private func absence(
    of side: String, _ given: Model?, _ embedded: ReadModel?, _ failure: Diagnostics?
  ) -> Diagnostics {
    let place = SourceLocation(file: file)
    if let failure {
      guard given != nil else { return failure }
      return Diagnostics([
        Diagnostic(
          "IMP-028", "the \(side) model in the mapping model cannot be read", severity: .warning,
          at: failure.all.first?.location ?? place,
          reason: failure.errors.first.map { $0.reason ?? $0.message },
          remedy: "check whether the given model is the one that the mapping model was made for")
      ])
    }
    guard given == nil, embedded == nil else { return Diagnostics() }
    return Diagnostics([
      Diagnostic(
        "IMP-012", "the \(side) model is not known", severity: .warning, at: place,
        reason: "the mapping model does not contain it, and no model with its entities was given",
        remedy: "give it with --models PATH")
    ])
  }

  /// `IMP-022` if the model differs from the one that the mapping model was made for.
  private func staleness(
    _ reference: ForeignModelReference, _ embedded: ReadModel?, given: Model?
  ) -> Diagnostics {
    guard let given else { return Diagnostics() }
    let place = reference.location ?? SourceLocation(file: file)
    let stale =
      embedded.flatMap { StaleMapping(embedded: $0, given: given) }
      ?? StaleMapping(recorded: reference.versionHashes, given: given)
    return Diagnostics(stale.map { [$0.diagnostic(at: place)] } ?? [])
  }
}
