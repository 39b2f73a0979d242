internal import PassagePlatform
internal import PassageValues

/// Tests of two texts by their bytes, where bytes decide.
enum TextTests {
  /// Whether two texts match; `nil` when that is undecided. In letters, a match ends with a letter:
  /// what follows could belong to it unless it is ASCII.
  static func answer(
    _ test: CellTextTest, _ value: RawCell, _ pattern: RawCell, by unit: CellTextUnit
  ) -> Bool? {
    guard case .text(let text) = value, case .text(let part) = pattern else { return false }
    switch unit {
    case .scalars: guard UTF8Text.isValid(text) else { return nil }
    case .ascii: guard UTF8Text.isASCII(text) else { return nil }
    case .bytes, .letters: break
    }
    let found: Bool?
    switch test {
    case .equals: found = isEqual(text[...], part)
    case .beginsWith: found = isEqual(text.prefix(part.count), part)
    case .endsWith: found = isEqual(text.suffix(part.count), part)
    case .contains: found = BytesSearch.contains(text, part)
    }
    guard found == true, unit == .letters, !part.isEmpty || test != .contains else { return found }
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
}
