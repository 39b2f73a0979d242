/// A moment's fields in the Gregorian calendar.
package struct DateFields {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int
  /// 0 is Sunday.
  package var weekday: Int
  package var hour: Int
  package var minute: Int
  package var second: Int
  package var millisecond: Int

  /// - Parameter milliseconds: local time in milliseconds since 1970, from 1 March of the year 0 on.
  ///
  /// The days are computed in eras of 400 years from 1 March, so that a leap day is the last of its
  /// year.
  package init(localMilliseconds milliseconds: Int) {
    let total = milliseconds + Self.millisecondsFromYear0
    let dayCount = total / 86_400_000
    let clock = total - dayCount * 86_400_000
    millisecond = clock % 1_000
    second = clock / 1_000 % 60
    minute = clock / 60_000 % 60
    hour = clock / 3_600_000
    weekday = (dayCount + 3) % 7
    let era = dayCount / 146_097
    let dayOfEra = dayCount - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shifted + 2) / 5 + 1
    month = shifted < 10 ? shifted + 3 : shifted - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// From 1 March of the year 0 to 1970.
  private static let millisecondsFromYear0 = 719_468 * 86_400_000

  /// The seconds of 400 years, after which the calendar repeats.
  package static let secondsOfEra = 146_097 * 86_400
}
