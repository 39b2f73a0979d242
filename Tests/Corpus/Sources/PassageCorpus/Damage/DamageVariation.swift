internal import Foundation

/// One way a store is changed before it is migrated.
struct DamageVariation: Sendable {
  enum Kind: String, Sendable {
    case asItIs = "as it is"
    case withoutLog = "without its log"
    case readOnly = "read-only"
    case otherJournalMode = "in the other journal mode"
    case vacuumed = "vacuumed"
    case cutOff = "cut off"
    case changedBytes = "changed bytes"
    case changedPage = "changed page"
    case changedCell = "changed cell"

    /// Whether the store holds what it held.
    var isWhole: Bool {
      switch self {
      case .asItIs, .readOnly, .otherJournalMode, .vacuumed: true
      case .withoutLog, .cutOff, .changedBytes, .changedPage, .changedCell: false
      }
    }
  }

  var kind: Kind
  /// The bytes that are left, for ``Kind/cutOff``.
  var length = 0
  /// Places and new bytes, for ``Kind/changedBytes`` and ``Kind/changedPage``.
  var changes: [(offset: Int, byte: UInt8)] = []
  /// The statement that changes one value, for ``Kind/changedCell``.
  var sql = ""
  /// What is asked about the store.
  var call = DamageCall.run

  /// What is said of it in a finding: enough to make it again.
  var title: String {
    let call = call == .run ? "" : ", \(call.rawValue)"
    return switch kind {
    case .cutOff: "cut off after \(length) bytes"
    case .changedCell: "changed cell\(call): \(sql)"
    case .changedBytes, .changedPage:
      "\(kind.rawValue)\(call): \(changes.map { "\($0.offset)=\($0.byte)" }.joined(separator: " "))"
    default: kind.rawValue
    }
  }

  /// Every way for one store.
  static func all(
    of subject: DamageSubject, rounds: Int, random: inout SeededRandom
  ) -> [DamageVariation] {
    let whole: [Kind] = [.asItIs, .readOnly, .otherJournalMode, .vacuumed]
    let kinds = subject.hasLog ? whole + [.withoutLog] : whole
    let page = subject.pageBytes
    let lengths = [
      0, 1, 16, 50, 99, 100, 512, page - 1, page, page + 1, subject.bytes / 2,
      subject.bytes - page, subject.bytes - 1,
    ]
    return kinds.map { DamageVariation(kind: $0) }
      + Set(lengths).filter { (0..<subject.bytes).contains($0) }.sorted()
      .map { DamageVariation(kind: .cutOff, length: $0) }
      + (0..<max(0, rounds)).map { _ in
        var variation = changed(subject, random: &random)
        // Half of them are migrated.
        if Bool.random(using: &random), let call = DamageCall.allCases.randomElement(using: &random)
        {
          variation.call = call
        }
        return variation
      }
  }

  private static func changed(
    _ subject: DamageSubject, random: inout SeededRandom
  ) -> DamageVariation {
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      return DamageVariation(
        kind: .changedPage,
        changes: (0..<Int.random(in: 1...3, using: &random)).map { _ in
          DamagedPage.change(subject, random: &random)
        })
    case 1:
      return DamageVariation(
        kind: .changedCell, sql: DamagedCell.statement(subject, random: &random))
    default:
      let count = Int.random(in: 1...16, using: &random)
      // Half of the changes hit the first pages, where the schema and the bookkeeping are.
      let end =
        Bool.random(using: &random) ? min(subject.bytes, subject.pageBytes * 4) : subject.bytes
      return DamageVariation(
        kind: .changedBytes,
        changes: (0..<count).map { _ in
          (Int.random(in: 0..<end, using: &random), UInt8.random(in: 0...255, using: &random))
        })
    }
  }
}
