internal import PassagePlatform
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

  /// Texts one after the other; NULL when one of them is no text.
  func joined(_ parts: UnsafePointer<RawCell>, _ count: Int) -> RawCell? {
    var (byteCount, isText) = (0, true)
    for index in 0..<count {
      guard case .text(let text) = parts[index] else {
        isText = false
        continue
      }
      guard text.count <= Self.capacity, UTF8Text.isValid(text) else { return nil }
      byteCount += text.count
    }
    guard isText else { return .null }
    guard let target = room(byteCount) else { return nil }
    var place = 0
    for index in 0..<count {
      guard case .text(let text) = parts[index] else { continue }
      UnsafeMutableRawBufferPointer(rebasing: target[place..<place + text.count])
        .copyMemory(from: text)
      place += text.count
    }
    return .text(UnsafeRawBufferPointer(target))
  }

  // MARK: Tests

  /// Whether two texts match. In letters, a match ends with a letter: what follows could belong to
  /// it unless it is ASCII.
  func answer(
    _ test: CellTextTest, _ value: RawCell, _ pattern: RawCell, byLetters: Bool
  ) -> Bool? {
    guard case .text(let text) = value, case .text(let part) = pattern else { return false }
    let found: Bool?
    switch test {
    case .beginsWith: found = Self.isEqual(text.prefix(part.count), part)
    case .endsWith: found = Self.isEqual(text.suffix(part.count), part)
    case .contains: found = Self.contains(text, part)
    }
    guard found == true, byLetters, !part.isEmpty || test != .contains else { return found }
    return UTF8Text.isASCII(text) ? true : nil
  }

  private static func isEqual(
    _ slice: Slice<UnsafeRawBufferPointer>, _ part: UnsafeRawBufferPointer
  ) -> Bool {
    guard slice.count == part.count else { return false }
    guard let wanted = part.baseAddress,
      let found = UnsafeRawBufferPointer(rebasing: slice).baseAddress
    else { return true }
    return memcmp(found, wanted, part.count) == 0
  }

  /// Tries every place. A search that would take long is undecided.
  private static func contains(
    _ text: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer
  ) -> Bool? {
    guard let first = part.first else { return true }
    guard text.count >= part.count else { return false }
    var steps = 0
    for start in 0...(text.count - part.count) where text[start] == first {
      var length = 1
      while length < part.count, text[start + length] == part[length] { length += 1 }
      if length == part.count { return true }
      steps += length
      if steps > 4 * text.count + 4_096 { return nil }
    }
    return false
  }
}
