internal import PassageEngine
internal import PassageFiles
internal import PassageModels
internal import PassageSQLite
internal import PassageStores
internal import PassageValues

extension StoreComparison {
  /// The name of the part of a report for files of external data.
  static let filesName = "external data"

  /// Compares the tables of the persistent history, if either store has them.
  func compareHistory(_ report: inout ComparisonReport) throws {
    let tables = (expected: try HistoryTables(expected), found: try HistoryTables(found))
    for name in HistoryTables.names {
      let left = tables.expected?.tables.first { $0.name == name }
      let right = tables.found?.tables.first { $0.name == name }
      guard let table = left ?? right else { continue }
      report.parts.append(ComparisonReport.Part(name: name, isJoinTable: false))
      let part = report.parts.count - 1
      guard let left, let right else {
        // One store has the whole table, the other does not have it.
        let count = table.rowCount
        report.parts[part].expectedCount = left == nil ? 0 : count
        report.parts[part].foundCount = right == nil ? 0 : count
        report.parts[part].differenceCount = max(1, count)
        report.parts[part].expectedDigest = nil
        report.parts[part].foundDigest = nil
        if report.differences.count < limit {
          report.differences.append(
            ComparisonReport.Difference(
              kind: left == nil ? .unexpected : .missing, name: name, key: [], properties: []))
        }
        continue
      }
      let columns =
        ["Z_PK"] + left.columns.filter { $0 != "Z_PK" && right.columns.contains($0) }
      var tally = ComparisonTally(limit: limit, names: columns, showsValues: showsValues) { _ in
        part
      }
      let rows = TableRows(columns: columns, keyCount: 1)
      try merge(
        rows.cursor(expected, table: name),
        rows.cursor(found, table: name), keyCount: 1, &tally, &report)
    }
  }

  /// Compares the files to which the expected store refers with those of the found store. A file
  /// that both lack is not a difference; the references themselves have already been compared.
  func compareFiles(_ layout: StoreLayout, _ report: inout ComparisonReport) throws {
    let folders = (expected.unit.externalDataPath, found.unit.externalDataPath)
    var part = ComparisonReport.Part(name: Self.filesName, isJoinTable: false)
    // The files are compared byte by byte, and equal ones need not be read: they may be links to one.
    part.expectedDigest = nil
    part.foundDigest = nil
    var rows = 0
    for attribute in ExternalAttribute.all(of: model, in: layout) {
      let cell = attribute.column.quotedIdentifier
      let statement = try expected.connection.prepare(
        "SELECT Z_PK, \(cell) FROM \(attribute.table.quotedIdentifier) NOT INDEXED "
          + "WHERE \(attribute.entity.isKind(nil)) AND typeof(\(cell)) = 'blob' "
          + "AND length(\(cell)) = \(ExternalValue.referenceByteCount)")
      while try statement.step() {
        rows += 1
        if rows.isMultiple(of: 256), isCancelled() { throw Self.cancelled }
        let bytes = statement.value(at: 1).bytes ?? []
        guard case .file(let name) = ExternalValue(prefix: bytes, byteCount: bytes.count) else {
          continue
        }
        let paths = ("\(folders.0)/\(name)", "\(folders.1)/\(name)")
        let isThere = (Self.isFile(paths.0), Self.isFile(paths.1))
        part.expectedCount += isThere.0 ? 1 : 0
        part.foundCount += isThere.1 ? 1 : 0
        if try isThere == (false, false)
          || isThere == (true, true) && FileSystem.haveEqualContents(paths.0, paths.1)
        {
          continue
        }
        part.differenceCount += 1
        guard report.differences.count < limit else { continue }
        report.differences.append(
          ComparisonReport.Difference(
            kind: .changedFile, name: attribute.entityName, key: [statement.integer(at: 0)],
            properties: [attribute.name]))
      }
    }
    if part.expectedCount > 0 || part.foundCount > 0 || part.differenceCount > 0 {
      report.parts.append(part)
    }
  }

  private static func isFile(_ path: String) -> Bool {
    (try? FileSystem.linkStatus(path))?.kind == .file
  }
}
