internal import PassageDiagnostics
internal import PassageFiles
internal import PassagePlanning
internal import PassageSQLite
internal import PassageStores

/// Why a run failed, and what that means for its work.
extension MigrationRun {
  /// A change that another program made to the source counts as the cause of a failure, whatever
  /// the failure looks like: what was read before and after the change does not fit together.
  func change(behind failure: any Error, _ witness: SourceWitness) -> (any Error)? {
    let mayBe =
      switch failure {
      case let error as MigrationError:
        [.bug, .verificationFailed, .sourceDamaged, .policyFailed, .locked].contains(error.kind)
      case let error as SQLiteError: !error.isDiskFull && !error.isInterrupt
      case let error as StoreError: ![.diskFull, .interrupted].contains(error.kind)
      case is RowFailure, is Diagnostics, is Diagnostic: true
      default: false
      }
    return mayBe && witness.hasChanged() ? SourceChanged() : nil
  }

  /// Looks for damage of the source when a run failed because SQLite met some, or in a way that is
  /// impossible with a sound source. If there is damage, it is reported with its place, or in place of
  /// an error of Passage.
  ///
  /// - Returns: `nil` when the source is sound, or when the failure needs no explanation.
  func damage(behind failure: any Error) -> (any Error)? {
    let isPuzzling =
      switch failure {
      case let error as MigrationError: [.bug, .verificationFailed].contains(error.kind)
      case let error as SQLiteError: error.isStatementError || error.isConstraint
      default: false
      }
    guard isPuzzling else { return place(ofDamage: failure) }
    if let damaged = sourceStore.damagedTable(control) {
      return StoreError(damaged, path: source.path)
    }
    guard sourceStore.type == nil, let model = steps.first?.source else { return nil }
    do {
      let layout = try StoreFile.open(path: source.path).layout(of: model)
      return try SourceDamage(path: source.path, layout: layout).diagnostic().map {
        MigrationError(.sourceDamaged, $0)
      }
    } catch let error as StoreError where error.isDamage {
      return error
    } catch let error as SQLiteError where error.isDamage {
      return error
    } catch {
      // The first failure says more than an error of this search.
      return nil
    }
  }

  /// The error with the table and the page, of a failure that says only that a store is damaged.
  ///
  /// - Returns: `nil` when the failure is another one, or when the pages of the source show no damage.
  func place(ofDamage failure: any Error) -> (any Error)? {
    let isWithoutPlace =
      switch failure {
      case let error as SQLiteError: error.isDamage
      case let error as StoreError:
        error.kind == .damaged && error.path == source.path && !error.namesPage
      default: false
      }
    guard isWithoutPlace else { return nil }
    return sourceStore.damagedTable(control).map { StoreError($0, path: source.path) }
  }

  /// Whether the work so far must not be continued: the result was found to be wrong, the source cannot be read
  /// completely, or the disk may not have what was written. After a sync that failed, the system may have forgotten
  /// the writes, and the next sync succeeds (`fsync(2)`).
  static func endsWork(_ error: any Error) -> Bool {
    switch error {
    case let error as MigrationError:
      [.policyFailed, .verificationFailed, .sourceDamaged].contains(error.kind)
    case let error as SQLiteError: error.isDamage || error.isFailedSync
    case let error as StoreError: error.isDamage
    case let error as FileSystem.Failure: error.operation == .synchronize
    case is DestinationDiffers, is SourceChanged: true
    default: false
    }
  }
}
