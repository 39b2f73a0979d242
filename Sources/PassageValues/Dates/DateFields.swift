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
    // Numbers of 32 bits are divided in fewer steps.
    let clock = UInt32(truncatingIfNeeded: total - dayCount * 86_400_000)
    let seconds = clock / 1_000
    millisecond = Int(clock - seconds * 1_000)
    let minutes = seconds / 60
    second = Int(seconds - minutes * 60)
    hour = Int(minutes / 60)
    minute = Int(minutes % 60)
    weekday = (dayCount + 3) % 7
    let era = dayCount / 146_097
    let dayOfEra = UInt32(truncatingIfNeeded: dayCount - era * 146_097)
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * shifted + 2) / 5 + 1)
    month = Int(shifted < 10 ? shifted + 3 : shifted - 9)
    year = Int(yearOfEra) + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// From 1 March of the year 0 to 1970.
  private static let millisecondsFromYear0 = 719_468 * 86_400_000

  /// The seconds of 400 years, after which the calendar repeats.
  package static let secondsOfEra = 146_097 * 86_400
}
