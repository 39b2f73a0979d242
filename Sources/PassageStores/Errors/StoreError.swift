internal import PassageDiagnostics
package import PassageFiles
package import PassageSQLite

/// Why a store cannot be opened, read or created.
package struct StoreError: Error, Sendable, Hashable {
  /// The kinds of failure; each has a diagnostic code that never changes.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case missing = "STO-101"
    case isDirectory = "STO-102"
    case notAFile = "STO-103"
    case empty = "STO-104"
    case truncated = "STO-105"
    case notSQLite = "STO-106"
    case notACoreDataStore = "STO-107"
    case noMetadata = "STO-108"
    case unreadableMetadata = "STO-109"
    case damaged = "STO-110"
    case locked = "STO-111"
    case permissionDenied = "STO-112"
    case walInReadOnlyFolder = "STO-113"
    case unfinishedTransaction = "STO-114"
    case inputOutput = "STO-115"
    case diskFull = "STO-116"
    case destinationExists = "STO-117"
    case layoutMismatch = "STO-118"
    case interrupted = "STO-119"
    case failed = "STO-120"
    case logMissing = "STO-121"
    case modelNotWritable = "STO-122"
    case typeNotWritable = "STO-130"
    case tableMissing = "STO-131"
    case columnMissing = "STO-132"
    case notATable = "STO-133"
    case tooManyOpenFiles = "STO-160"
    case nameTooLong = "STO-161"
    case sidecarNotAFile = "STO-162"
    case strangeJournal = "STO-163"
    case generatedColumn = "STO-170"
    case computedColumn = "STO-171"
  }

  package var kind: Kind
  /// The store's path, as it was given.
  package var path: String
  /// What the system, SQLite or a reader reported; `nil` if the kind says everything.
  package var detail: String?
  /// Whether the detail names the table and the page that are damaged.
  package var namesPage = false
  /// What to do next; `nil` if that is what helps with every failure of the kind.
  package var remedy: String?

  package init(_ kind: Kind, path: String, detail: String? = nil) {
    self.kind = kind
    self.path = path
    self.detail = detail
  }

  /// Whether the store is damaged, so that an undamaged copy is needed. `false` for a file that
  /// never was a store.
  package var isDamage: Bool {
    switch kind {
    case .truncated, .noMetadata, .unreadableMetadata, .damaged, .layoutMismatch, .logMissing,
      .strangeJournal, .generatedColumn:
      true
    default: false
    }
  }

  /// Whether the system failed, and not the store or the right to it: the same call may succeed later.
  package var isOfSystem: Bool { kind == .inputOutput || kind == .tooManyOpenFiles }

  /// The failure of an SQLite call on the store.
  package init(_ error: SQLiteError, path: String) {
    let kind: Kind =
      if error.isDamage {
        // A file that never was a database is found by its first bytes, before SQLite opens it.
        .damaged
      } else if error.isBusy {
        .locked
      } else if error.isDiskFull {
        .diskFull
      } else if error.isInterrupt {
        .interrupted
      } else if error.isTooManyOpenFiles {
        .tooManyOpenFiles
      } else if error.isNameTooLong {
        .nameTooLong
      } else if error.isRollbackNeeded {
        .unfinishedTransaction
      } else if error.isPermission || error.isCannotOpen && error.systemErrorNumber == 0 {
        .permissionDenied
      } else if error.isInputOutput || error.isCannotOpen {
        .inputOutput
      } else {
        .failed
      }
    self.init(kind, path: path, detail: error.description)
  }

  /// The failure of a call to the file system.
  package init(_ failure: FileSystem.Failure, path: String) {
    let kind: Kind =
      if failure.isMissing || failure.isCyclicLink {
        .missing
      } else if failure.isNoSpace {
        .diskFull
      } else if failure.isPermission {
        .permissionDenied
      } else if failure.isExisting {
        .destinationExists
      } else if failure.isTooManyOpenFiles {
        .tooManyOpenFiles
      } else if failure.isNameTooLong {
        .nameTooLong
      } else {
        .inputOutput
      }
    self.init(kind, path: path, detail: failure.description)
  }
}

extension StoreError: CustomStringConvertible {
  package var description: String { diagnostic.description }
}
