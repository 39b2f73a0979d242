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

    /// Whether the store holds what it held.
    var isWhole: Bool {
      switch self {
      case .asItIs, .readOnly, .otherJournalMode, .vacuumed: true
      case .withoutLog, .cutOff, .changedBytes: false
      }
    }
  }

  var kind: Kind
  /// The bytes that are left, for ``Kind/cutOff``.
  var length = 0
  /// Places and new bytes, for ``Kind/changedBytes``.
  var changes: [(offset: Int, byte: UInt8)] = []

  /// What is said of it in a finding: enough to make it again.
  var title: String {
    switch kind {
    case .cutOff: "cut off after \(length) bytes"
    case .changedBytes:
      "changed bytes \(changes.map { "\($0.offset)=\($0.byte)" }.joined(separator: " "))"
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
        let count = Int.random(in: 1...16, using: &random)
        // Half of the changes hit the first pages, where the schema and the bookkeeping are.
        let end = Bool.random(using: &random) ? min(subject.bytes, page * 4) : subject.bytes
        return DamageVariation(
          kind: .changedBytes,
          changes: (0..<count).map { _ in
            (Int.random(in: 0..<end, using: &random), UInt8.random(in: 0...255, using: &random))
          })
      }
  }
}
