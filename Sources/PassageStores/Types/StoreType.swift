internal import PassageFiles
public import PassageModels

/// A kind of store that is not in Core Data's layout: tables of a plain database, a file of text.
///
/// The engine works on one layout. A store of another type is *staged*: its objects stream into a
/// ``StagedStore``, from which the ordinary engine reads. A destination of another type is written
/// from the finished store, and put in place as every finished store is. So a type is one
/// conformance, and passes, policies, filters and both lanes know nothing of it.
public protocol StoreType: Sendable {
  /// The type's name in options, reports and the command line: `tables`.
  var name: String { get }

  /// What a store of the type is called in messages: `a plain SQLite database`.
  var title: String { get }

  /// The extensions, in lower case and without dot, of destinations that are written as this type
  /// when no type is named.
  var fileExtensions: [String] { get }

  /// Whether the file is of this type, judged by what is in it. A file that cannot be read is of no
  /// type: opening it as a store says best what is wrong.
  ///
  /// - Parameters:
  ///   - path: a regular file that is not in Core Data's layout.
  ///   - firstBytes: at most 512 bytes from its start.
  func recognizes(path: String, firstBytes: [UInt8]) -> Bool

  /// The model the file itself declares.
  ///
  /// - Throws: `StoreError` or `Diagnostics`, also where the file declares none: then a model must
  ///   be given.
  func model(path: String) throws -> Model

  /// Opens a store for reading and finds everything in it that a model names.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - model: ``model(path:)``'s, or the one the author wrote for the file.
  /// - Throws: `StoreError` or `Diagnostics` with every name that leads nowhere.
  func open(path: String, as model: Model) throws -> any ForeignStore

  /// A text that changes when the file does: it decides whether staged work is still good.
  func fingerprint(path: String) throws -> String

  /// Writes the objects of a finished store into a new file.
  ///
  /// - Parameters:
  ///   - objects: the finished store.
  ///   - path: an empty file of the engine's own, which it syncs and renames afterwards.
  ///   - options: how values are written.
  /// - Throws: `StoreError` or `Diagnostics`; `STO-130` where the type cannot be written.
  func write(_ objects: StoredObjects, to path: String, options: StoreWritingOptions) throws

  /// Whether a file is what ``write(_:to:options:)`` has written, unchanged since: so a migration that
  /// is repeated knows its own result again.
  ///
  /// - Parameters:
  ///   - path: the file at the destination.
  ///   - written: what the same migration has written again.
  /// - Throws: `StoreError` when one of them cannot be read.
  func isUnchanged(path: String, from written: String) throws -> Bool

  /// The type as it reads within a bound of memory: one that loads a store whole refuses before it
  /// begins, with `MemoryExceeded`.
  func bounded(byMemory bytes: Int) -> any StoreType
}

extension StoreType {
  /// The type itself: one that streams has no need of a bound.
  public func bounded(byMemory bytes: Int) -> any StoreType { self }

  /// None: the type must be named.
  public var fileExtensions: [String] { [] }

  /// Size, time and identity of the file.
  public func fingerprint(path: String) throws -> String {
    do throws(FileSystem.Failure) {
      let status = try FileSystem.status(path)
      return "\(name) \(status.bytes) \(status.modifiedNanoseconds) \(status.inode)"
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Whether both hold the same bytes.
  public func isUnchanged(path: String, from written: String) throws -> Bool {
    do {
      return try FileSystem.haveEqualContents(path, written)
    } catch let failure as FileSystem.Failure {
      throw StoreError(failure, path: failure.path)
    }
  }

  /// Refuses: most types are read more often than written.
  public func write(
    _ objects: StoredObjects, to path: String, options: StoreWritingOptions
  ) throws {
    throw StoreError(.typeNotWritable, path: path, detail: "\(title) can only be read")
  }
}

/// A store of another type, opened for reading. Not shared between threads.
public protocol ForeignStore: AnyObject {
  /// The objects by entity name, each counted under its own entity; rows that cannot be read are
  /// counted too.
  func objectCounts() throws -> [String: Int64]

  /// Gives every object and link to the staged store: the objects of one table in ascending key
  /// order where the type can, which is faster and no rule.
  ///
  /// A row that cannot become an object is handed to ``StagedStore/quarantine(_:)``, which throws when
  /// there are more than the caller allows.
  func read(into store: StagedStore) throws
}

/// How values are written where a type has a choice.
public struct StoreWritingOptions: Sendable, Hashable {
  /// How dates are written in types that have no dates of their own.
  public enum DateStyle: String, Sendable, Hashable, CaseIterable {
    /// `2010-03-19 00:00:00.000`, in UTC; without the fraction when there is none.
    case iso
    /// Seconds since 1970-01-01 00:00:00 UTC.
    case unix
  }

  /// How dates are written.
  public var dateStyle: DateStyle

  /// Where the file is going to be, for types with settings in a file beside it; `nil` when it is
  /// written in its place.
  public var destinationPath: String?

  /// Dates as text by default.
  public init(dateStyle: DateStyle = .iso, destinationPath: String? = nil) {
    self.dateStyle = dateStyle
    self.destinationPath = destinationPath
  }
}
