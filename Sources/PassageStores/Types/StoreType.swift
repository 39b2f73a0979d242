internal import PassageFiles
public import PassageModels

/// A type of store that is not in Core Data's layout, such as tables of a plain database or a text
/// file.
///
/// The engine works on one layout. A source of another type is *staged*: its objects are written
/// into a ``StagedStore``, which the engine reads. A destination of another type is written from
/// the finished store, and put in place like any finished store. A type of store is therefore a
/// single conformance, and passes, policies, filters and both lanes do not depend on it.
public protocol StoreType: Sendable {
  /// The type's name in options, reports and the command line, such as `tables`.
  var name: String { get }

  /// A description of such a store for messages, such as `a plain SQLite database`.
  var title: String { get }

  /// The file extensions, in lower case and without dot, of destinations that get this type if no
  /// type is named.
  var fileExtensions: [String] { get }

  /// Whether what it writes holds the metadata that an app has added to a store. Where it does not, a run
  /// warns of the loss (`STO-323`).
  var holdsAppMetadata: Bool { get }

  /// Whether the file is of this type, judged by its contents. Return `false` for a file that
  /// cannot be read: opening it as a store reports the cause best.
  ///
  /// - Parameters:
  ///   - path: a regular file that is not in Core Data's layout.
  ///   - firstBytes: at most 512 bytes from the beginning of the file.
  func recognizes(path: String, firstBytes: [UInt8]) -> Bool

  /// The model that the file itself declares.
  ///
  /// - Throws: `StoreError` or `Diagnostics`; also if the file declares no model, so that one must
  ///   be given.
  func model(path: String) throws -> Model

  /// Opens a store for reading and finds everything in it that the model names.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - model: the result of ``model(path:)``, or a model that the author wrote for the file.
  /// - Throws: `StoreError` or `Diagnostics` with every name that is not found.
  func open(path: String, as model: Model) throws -> any ForeignStore

  /// A text that changes when the file does. It decides whether staged work can still be used.
  func fingerprint(path: String) throws -> String

  /// Writes the objects of a finished store into a new file.
  ///
  /// - Parameters:
  ///   - objects: the finished store.
  ///   - path: an empty file of the engine, which it syncs and renames afterwards.
  ///   - options: how values are written.
  /// - Throws: `StoreError` or `Diagnostics`; `STO-130` if the type cannot be written.
  func write(_ objects: StoredObjects, to path: String, options: StoredObjects.WritingOptions)
    throws

  /// Whether a file is the unchanged result of ``write(_:to:options:)``, so that a repeated
  /// migration recognizes its own result.
  ///
  /// - Parameters:
  ///   - path: the file at the destination.
  ///   - written: the file that the same migration has now written.
  /// - Throws: `StoreError` if one of them cannot be read.
  func isUnchanged(path: String, from written: String) throws -> Bool

  /// The type with a memory limit. A type that loads a store as a whole refuses with
  /// `MemoryExceeded` before it reads more.
  func bounded(byMemory bytes: Int) -> any StoreType
}

/// A type whose files name every property that their objects may have, as the header of a table does, also one
/// without a value.
package protocol NamesEveryProperty {
  /// Whether a file that can be opened as a model has the names of all of its properties, and no others. One side
  /// of two inverse relationships is enough, as it is for reading.
  ///
  /// - Throws: `StoreError` or `Diagnostics` for a file that cannot be read.
  func hasExactNames(of model: Model, path: String) throws -> Bool
}

extension StoreType {
  /// Yes.
  public var holdsAppMetadata: Bool { true }

  /// The type itself: a type that streams needs no limit.
  public func bounded(byMemory bytes: Int) -> any StoreType { self }

  /// Empty: the type must be named.
  public var fileExtensions: [String] { [] }

  /// The size, time and identity of the file.
  public func fingerprint(path: String) throws -> String {
    do throws(FileSystem.Failure) {
      let status = try FileSystem.status(path)
      return "\(name) \(status.bytes) \(status.modifiedNanoseconds) \(status.inode)"
    } catch {
      throw StoreError(error, path: path)
    }
  }

  /// Whether both files have the same bytes.
  public func isUnchanged(path: String, from written: String) throws -> Bool {
    do {
      return try FileSystem.haveEqualContents(path, written)
    } catch let failure as FileSystem.Failure {
      throw StoreError(failure, path: failure.path)
    }
  }

  /// Throws: by default, a type can only be read.
  public func write(
    _ objects: StoredObjects, to path: String, options: StoredObjects.WritingOptions
  ) throws {
    throw StoreError(.typeNotWritable, path: path, detail: "\(title) can only be read")
  }
}

/// A store of another type, opened for reading. Not shared between threads.
public protocol ForeignStore: AnyObject {
  /// The number of objects by entity name, each counted only under its own entity. Rows that cannot
  /// be read are counted too.
  func objectCounts() throws -> [String: Int64]

  /// Passes every object and link to the staged store. Objects of one table should come in
  /// ascending key order, which is faster but not required.
  ///
  /// A row that cannot become an object is passed to ``StagedStore/quarantine(_:)``, which throws
  /// if there are more than the caller allows.
  func read(into store: StagedStore) throws
}
