import Foundation
import PassageValues

extension ZoneOffsets {
  /// The years 1600 to 9998, in milliseconds since 1970.
  private static let gregorian = -11_676_096_000_000..<253_370_764_800_000
  /// The years 1960 to 2059.
  private static let century = -315_619_200_000..<2_840_140_800_000

  /// `nil` for a zone with changes that are not at full seconds.
  init?(_ zone: TimeZone) {
    let start = Date(timeIntervalSince1970: Double(Self.century.lowerBound / 1_000))
    if let fixed = Self.fixedSeconds(zone) {
      self.init(range: Self.gregorian, changes: [], offsets: [fixed * 1_000])
      return
    }
    var changes: [Int] = []
    var offsets = [zone.secondsFromGMT(for: start) * 1_000]
    var last = start
    while let next = zone.nextDaylightSavingTimeTransition(after: last), next > last {
      guard let change = Int(exactly: next.timeIntervalSince1970) else { return nil }
      guard change * 1_000 < Self.century.upperBound else { break }
      changes.append(change * 1_000)
      offsets.append(zone.secondsFromGMT(for: next) * 1_000)
      last = next
    }
    self.init(range: Self.century, changes: changes, offsets: offsets)
  }

  /// The offset from UTC in seconds of a zone that is written as an offset, which never has clock
  /// changes; `nil` for any other zone.
  static func fixedSeconds(_ zone: TimeZone) -> Int? {
    let name = zone.identifier
    guard name == "UTC" || name == "GMT" || name.hasPrefix("GMT+") || name.hasPrefix("GMT-") else {
      return nil
    }
    return zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: 0))
  }
}
