import PassageDiagnostics
import PassagePlatform
import PassageValues

extension FunctionLibrary {
  static let numbers: [ValueFunction] =
    [
      ValueFunction(
        "formatNumber:pattern:locale:", [.type(.real), .type(.string), .type(.string)], .string,
        check: NumberTexts.checkPattern
      ) {
        let texts = NumberTexts()
        return { values in
          guard let pattern = values[1].string, let locale = values[2].string else { return .null }
          return try texts.text(values[0], pattern, locale)
        }
      },
      ValueFunction(
        "distanceFromLatitude:longitude:toLatitude:longitude:",
        [.type(.real), .type(.real), .type(.real), .type(.real)], .real
      ) {
        { values in
          let degrees = values.compactMap(\.double)
          guard degrees.count == 4 else { return .null }
          return distance(degrees[0], degrees[1], degrees[2], degrees[3])
        }
      },
      ValueFunction("round:places:", [.type(.real), .type(.integer)], .real) {
        { values in
          guard let places = values[1].integer else { return .null }
          return DecimalPlaces.rounded(values[0], places: places)
        }
      },
      ValueFunction("hexadecimal:", [.type(.integer)], .string) {
        { values in
          guard let number = values[0].integer else { return .null }
          return .text(try HexadecimalNumbers.text(number, digits: 1))
        }
      },
      ValueFunction("hexadecimal:digits:", [.type(.integer), .type(.integer)], .string) {
        { values in
          guard let number = values[0].integer, let digits = values[1].integer else { return .null }
          return .text(try HexadecimalNumbers.text(number, digits: digits))
        }
      },
    ]
    + ValueFunction.reading("integerFromHexadecimal:", [.type(.string)], .integer) {
      { values in
        guard let text = values[0].string else { return .null }
        return .integer(try HexadecimalNumbers.number(text))
      }
    }
    + ValueFunction.reading(
      "parseNumber:locale:", [.type(.string), .type(.string)], .real, check: NumberTexts.checkLocale
    ) {
      let texts = NumberTexts()
      return { values in
        guard let text = values[0].string, let locale = values[1].string else { return .null }
        return try texts.number(text, locale)
      }
    }

  /// The distance in metres between two places in degrees, along a great circle of a sphere with
  /// the Earth's mean radius; NULL for coordinates out of range.
  private static func distance(
    _ latitude: Double, _ longitude: Double, _ otherLatitude: Double, _ otherLongitude: Double
  ) -> Value {
    guard [latitude, otherLatitude].allSatisfy({ abs($0) <= 90 }),
      [longitude, otherLongitude].allSatisfy({ abs($0) <= 180 })
    else { return .null }
    let meanRadius = 6_371_008.8
    func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    let height = sin(radians(otherLatitude - latitude) / 2)
    let width = sin(radians(otherLongitude - longitude) / 2)
    let square =
      height * height + cos(radians(latitude)) * cos(radians(otherLatitude)) * width * width
    return Arithmetic.number(2 * meanRadius * asin(min(1, square.squareRoot())))
  }

  /// The function that implements `random()` and `randomn:`: a number that depends only on the
  /// migration, the object and the place of the call, so that a continued run and the other lane
  /// give the same number.
  ///
  /// The arguments are the fixed current time, the entity's name, the object's key, the place of
  /// the call, and the bound, which is NULL for a number from 0 to below 1.
  static let random = ValueFunction(
    "randomOf:entity:key:place:below:",
    [.type(.real), .type(.string), .type(.integer), .type(.integer), .type(.integer)], .real,
    takesNil: true
  ) {
    { values in
      var state = (values[0].double ?? 0).bitPattern
      for byte in (values[1].string ?? "").utf8 { state = mixed(state ^ UInt64(byte)) }
      state = mixed(state ^ UInt64(bitPattern: values[2].integer ?? 0))
      state = mixed(state ^ UInt64(bitPattern: values[3].integer ?? 0))
      guard let bound = values[4].integer else {
        return .real(Double(state >> 11) * 0x1p-53)
      }
      guard bound > 0 else { return .null }
      return .integer(Int64(UInt64(bound).multipliedFullWidth(by: state).high))
    }
  }

  /// One step of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators).
  private static func mixed(_ state: UInt64) -> UInt64 {
    var z = state &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
