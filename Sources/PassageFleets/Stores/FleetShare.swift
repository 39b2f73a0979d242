/// A number of stores, or a share of them: `20`, `1%`, `0.5%`.
public enum FleetShare: Sendable, Hashable, ExpressibleByIntegerLiteral {
  /// A number of stores; one below 0 is taken for 0.
  case count(Int)
  /// A share of the stores, from 0 to 1; one below or above is taken for 0 or 1.
  case share(Double)

  /// A number of stores.
  public init(integerLiteral value: Int) { self = .count(value) }

  /// - Returns: `nil` for anything but a whole number from 0, or a number from 0 to 100 and `%`.
  package init?(_ text: String) {
    if text.hasSuffix("%") {
      let digits = text.dropLast()
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2e }),
        let percent = Double(digits), (0...100).contains(percent)
      else { return nil }
      self = .share(percent / 100)
    } else {
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text) else {
        return nil
      }
      self = .count(count)
    }
  }

  /// How many of so many stores: a share is rounded down.
  package func most(of stores: Int) -> Int {
    switch self {
    case .count(let count): max(0, count)
    case .share(let share): Int((Double(stores) * Self.part(share)).rounded(.down))
    }
  }

  /// How many of so many stores, at least one if the share is not 0 and there is one.
  package func some(of stores: Int) -> Int {
    switch self {
    case .count(let count): min(max(0, count), stores)
    case .share(let share): min(stores, Int((Double(stores) * Self.part(share)).rounded(.up)))
    }
  }

  private static func part(_ share: Double) -> Double {
    share.isNaN ? 0 : min(1, max(0, share))
  }
}
