/// Numbers as text, the same in every locale, so that logs can be compared.
package enum NumberText {
  /// `1,234,567`
  package static func count(_ value: Int64) -> String {
    let digits = Array("\(value.magnitude)")
    var text = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return value < 0 ? "-" + text : text
  }

  /// `1 object`, `2,000 objects`
  package static func count(_ value: Int64, _ singular: String, _ plural: String? = nil) -> String {
    "\(count(value)) \(value == 1 ? singular : plural ?? singular + "s")"
  }

  /// `340 ms`, `12.4 s`, `3 min 05 s`, `2 h 07 min`
  package static func duration(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    if seconds < 1 { return "\(Int((seconds * 1_000).rounded())) ms" }
    if seconds < 59.95 {
      let tenths = Int((seconds * 10).rounded())
      return "\(tenths / 10).\(tenths % 10) s"
    }
    return wholeSeconds(seconds)
  }

  /// `18 s`, `3 min 05 s`, `2 h 07 min`
  package static func wholeSeconds(_ seconds: Double) -> String {
    guard seconds.isFinite, seconds >= 0, seconds < 1e9 else { return "?" }
    let whole = Int(seconds.rounded())
    if whole < 60 { return "\(whole) s" }
    if whole < 3_600 { return "\(whole / 60) min \(twoDigits(whole % 60)) s" }
    return "\(whole / 3_600) h \(twoDigits(whole % 3_600 / 60)) min"
  }

  /// `512 bytes`, `12.3 KiB`, `4.0 MiB`
  package static func bytes(_ value: Int64) -> String {
    guard value >= 1_024 else { return count(value, "byte") }
    var size = Double(value) / 1_024
    var units = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][...]
    while size >= 1_023.95, units.count > 1 {
      size /= 1_024
      units.removeFirst()
    }
    let tenths = Int((size * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units.first ?? "")"
  }

  private static func twoDigits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
