internal import PassagePages

/// The associations of a mapping that were written one after the other, in the order of their source
/// keys: as most policies make them.
final class RecordedAssociations {
  /// Associations that are kept: eight bytes each. Of more, only the number is known.
  private static let mostPairs = 1 << 20

  /// How many there are; `nil` when that is not known.
  private(set) var count: Int64? = 0
  /// How far each source key is behind the one before, and each destination key from the first one.
  private var pairs: [(step: UInt32, place: Int32)] = []
  /// Whether ``pairs`` are all of them.
  private(set) var hasPairs = true
  private var first: (source: Int64, destination: Int64) = (0, 0)
  private var lastSource: Int64 = 0
  /// The range of the places.
  private var places: (lowest: Int32, highest: Int32) = (0, 0)
  /// The number of the entity of all destination objects.
  private(set) var entity: Int64 = 0

  /// Notes associations that are written after all others.
  ///
  /// - Parameter rows: of each the source key, the destination key and the number of the entity.
  func note(_ rows: [Int64]) {
    for place in stride(from: 0, to: rows.count - 2, by: 3) {
      note(source: rows[place], destination: rows[place + 1], entity: rows[place + 2])
    }
  }

  private func note(source: Int64, destination: Int64, entity: Int64) {
    guard let count else { return }
    // A second association of an object may be one that is there already.
    guard count == 0 || source > lastSource else { return forget() }
    if count == 0 {
      first = (source, destination)
      lastSource = source
      self.entity = entity
    }
    self.count = count + 1
    defer { lastSource = source }
    guard hasPairs else { return }
    let (place, isFar) = destination.subtractingReportingOverflow(first.destination)
    guard !isFar, let place = Int32(exactly: place), entity == self.entity,
      let step = UInt32(exactly: source.subtractingReportingOverflow(lastSource).partialValue),
      pairs.count < Self.mostPairs
    else { return release() }
    places = (min(places.lowest, place), max(places.highest, place))
    pairs.append((step, place))
  }

  /// Forgets everything: nothing is known any more.
  func forget() {
    count = nil
    release()
  }

  /// Forgets the associations, but not their number.
  func release() {
    hasPairs = false
    pairs = []
  }

  /// The range of the destination keys.
  var destinations: ClosedRange<Int64> {
    first.destination + Int64(places.lowest)...first.destination + Int64(places.highest)
  }

  /// Adds all associations to a map.
  ///
  /// - Parameter own: keys that must not be among those of the source objects.
  /// - Returns: false when one does not fit.
  func insert(into map: KeyMap, except own: KeySet?) -> Bool {
    var source = first.source
    for pair in pairs {
      source += Int64(pair.step)
      guard own?.contains(source) != true,
        map.insert(source, first.destination + Int64(pair.place))
      else { return false }
    }
    return true
  }
}
