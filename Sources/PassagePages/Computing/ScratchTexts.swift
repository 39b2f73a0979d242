internal import PassageValues

/// Makes the texts of one row, in memory that is used again for the next.
///
/// Texts that are long, or whose letters matter and are not ASCII, are undecided: `nil`.
final class ScratchTexts {
  /// All texts of a row together.
  private static let capacity = 1 << 14

  private let memory = RawMemory(byteCount: capacity)
  private var used = 0

  func removeAll() { used = 0 }

  /// Reserves room; `nil` when there is not enough.
  private func room(_ count: Int) -> UnsafeMutableRawBufferPointer? {
    guard count <= Self.capacity - used else { return nil }
    defer { used += count }
    return UnsafeMutableRawBufferPointer(start: memory.bytes + used, count: count)
  }

  // MARK: Functions

  func apply(_ function: CellTextFunction, _ cell: RawCell) -> RawCell? {
    guard case .text(let text) = cell else { return .null }
    if case .length = function {
      return UTF8Text.utf16Count(text).map { .integer(Int64($0)) }
    }
    guard UTF8Text.isASCII(text) else { return nil }
    switch function {
    case .uppercase: return mapped(text, from: 0x61...0x7A)
    case .lowercase: return mapped(text, from: 0x41...0x5A)
    case .trim: return .text(Self.trimmed(text))
    case .number: return DecimalNumber.cell(text)
    case .withoutDiacritics: return cell
    case .length: return nil
    }
  }

  /// The text with the letters of a range in the other case.
  private func mapped(
    _ text: UnsafeRawBufferPointer, from letters: ClosedRange<UInt8>
  ) -> RawCell? {
    guard let target = room(text.count) else { return nil }
    let (first, count) = (letters.lowerBound, letters.upperBound - letters.lowerBound)
    for index in 0..<text.count {
      let byte = text[index]
      target[index] = byte &- first <= count ? byte ^ 0x20 : byte
    }
    return .text(UnsafeRawBufferPointer(target))
  }

  private static func trimmed(_ text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte &- 9 <= 4 }
    var (start, end) = (0, text.count)
    while start < end, isSpace(text[start]) { start += 1 }
    while end > start, isSpace(text[end - 1]) { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: text[start..<end])
  }

  // MARK: Several texts

  /// Texts one after the other; NULL when one of them is no text.
  func joined(_ parts: UnsafePointer<RawCell>, _ count: Int) -> RawCell? {
    guard let size = size(of: parts, count) else { return nil }
    return size.texts == count ? append(parts, count, size.bytes, separator: nil) : .null
  }

  /// Texts, those that are none left out, with a separator in between; NULL when there is no text,
  /// or the separator is none.
  func joined(
    _ parts: UnsafePointer<RawCell>, _ count: Int, separator: RawCell
  ) -> RawCell? {
    guard let size = size(of: parts, count) else { return nil }
    guard case .text(let between) = separator else { return .null }
    guard between.count <= Self.capacity, UTF8Text.isValid(between) else { return nil }
    if size.texts == 0 { return .null }
    return append(
      parts, count, size.bytes + (size.texts - 1) * between.count, separator: between)
  }

  /// The size of the texts among some values; `nil` when one is long, or not valid.
  private func size(
    of parts: UnsafePointer<RawCell>, _ count: Int
  ) -> (texts: Int, bytes: Int)? {
    var (texts, bytes) = (0, 0)
    for index in 0..<count {
      guard case .text(let text) = parts[index] else { continue }
      guard text.count <= Self.capacity, UTF8Text.isValid(text) else { return nil }
      texts += 1
      bytes += text.count
    }
    return (texts, bytes)
  }

  private func append(
    _ parts: UnsafePointer<RawCell>, _ count: Int, _ byteCount: Int,
    separator: UnsafeRawBufferPointer?
  ) -> RawCell? {
    guard let target = room(byteCount) else { return nil }
    var (place, isFirst) = (0, true)
    func write(_ text: UnsafeRawBufferPointer) {
      UnsafeMutableRawBufferPointer(rebasing: target[place..<place + text.count])
        .copyMemory(from: text)
      place += text.count
    }
    for index in 0..<count {
      guard case .text(let text) = parts[index] else { continue }
      if let separator, !isFirst { write(separator) }
      isFirst = false
      write(text)
    }
    return .text(UnsafeRawBufferPointer(target))
  }

  /// The part of a text in ASCII from a place, with so many code units.
  func part(of cell: RawCell, from: RawCell, count: RawCell) -> RawCell? {
    guard case .text(let text) = cell else { return .null }
    guard UTF8Text.isASCII(text) else { return nil }
    guard let from = Number(from).truncated, let count = Number(count).truncated else {
      return .null
    }
    let start = Int(min(max(0, from), Int64(text.count)))
    let end = start + Int(min(max(0, count), Int64(text.count - start)))
    return .text(UnsafeRawBufferPointer(rebasing: text[start..<end]))
  }

  // MARK: Numbers and dates

  /// A whole number in digits; one of a size that is written with an exponent is undecided, and so is
  /// a fraction.
  func digits(_ cell: RawCell) -> RawCell? {
    let whole: Int64
    switch cell {
    case .integer(let value): whole = value
    case .real(let value):
      guard abs(value) < 1e15, let value = Int64(exactly: value) else { return nil }
      whole = value
    default: return .null
    }
    guard let target = room(20) else { return nil }
    var place = 20
    var rest = whole.magnitude
    repeat {
      place -= 1
      target[place] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
      rest /= 10
    } while rest > 0
    if whole < 0 {
      place -= 1
      target[place] = 0x2D
    }
    return .text(UnsafeRawBufferPointer(rebasing: target[place..<20]))
  }

  /// `1` for a number that is not zero, `0` for zero.
  func flag(_ cell: RawCell) -> RawCell? {
    guard let number = Number(cell).double else { return .null }
    guard let target = room(1) else { return nil }
    target[0] = number != 0 ? 0x31 : 0x30
    return .text(UnsafeRawBufferPointer(target))
  }

  /// A date as text.
  func printed(_ cell: RawCell, _ form: UnsafePointer<PrintedDateForm>) -> RawCell? {
    guard let seconds = Number(cell).double else { return .null }
    guard let target = room(form.pointee.maximumCount),
      let count = form.pointee.write(seconds, into: target.assumingMemoryBound(to: UInt8.self))
    else { return nil }
    return .text(UnsafeRawBufferPointer(rebasing: target[..<count]))
  }
}
