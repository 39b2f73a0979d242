/// Which entity mappings are drawn. In a large model most carry an entity over as it is; those are
/// only listed, so that the others can be seen.
struct DrawnMappings {
  /// By step, in the order in which they run, with the name of the pass.
  private(set) var mappings: [[(pass: String, mapping: MigrationPage.Mapping)]] = []
  /// Those that are only listed, by step.
  private(set) var folded: [[MigrationPage.Mapping]] = []

  /// So many are drawn even if nothing happens in them.
  private static let maximumPlain = 8

  init(_ steps: [MigrationPage.Step]) {
    let all = steps.map { step in
      step.passes.flatMap { pass in pass.mappings.map { (pass: pass.name, mapping: $0) } }
    }
    let plain = steps.indices.map { Self.plain(of: all[$0].map(\.mapping), steps[$0]) }
    guard plain.reduce(0, { $0 + $1.count }) > Self.maximumPlain else {
      mappings = all
      folded = steps.map { _ in [] }
      return
    }
    let shown = Self.shown(all.map { $0.map(\.mapping) }, plain: plain)
    for step in all.indices {
      mappings.append(all[step].indices.filter { shown[step].contains($0) }.map { all[step][$0] })
      folded.append(
        all[step].indices.filter { !shown[step].contains($0) }.map { all[step][$0].mapping })
    }
  }

  /// The positions of the mappings in which nothing happens but that objects are carried over.
  private static func plain(
    of mappings: [MigrationPage.Mapping], _ step: MigrationPage.Step
  ) -> Set<Int> {
    let changed = Set(step.changes.filter { !$0.rows.isEmpty }.map(\.mapping))
    return Set(
      mappings.indices.filter { mappings[$0].isPlain && !changed.contains(mappings[$0].name) })
  }

  /// Those that are drawn: whatever does something, and whatever is connected with that by an
  /// entity in another step.
  private static func shown(
    _ mappings: [[MigrationPage.Mapping]], plain: [Set<Int>]
  ) -> [Set<Int>] {
    var shown = mappings.indices.map { Set(mappings[$0].indices).subtracting(plain[$0]) }
    var places: Set<EntityPlace> = []
    func note(_ mapping: MigrationPage.Mapping, _ step: Int) {
      if let source = mapping.source { places.insert(EntityPlace(version: step, name: source)) }
      for name in mapping.destinations {
        places.insert(EntityPlace(version: step + 1, name: name))
      }
    }
    for step in mappings.indices {
      for position in shown[step] { note(mappings[step][position], step) }
    }
    // Plain mappings connect entities of one name, so each sweep carries over one step more.
    for _ in mappings.indices {
      for step in mappings.indices {
        for position in plain[step] where !shown[step].contains(position) {
          let mapping = mappings[step][position]
          guard let name = mapping.source,
            places.contains(EntityPlace(version: step, name: name))
              || places.contains(EntityPlace(version: step + 1, name: name))
          else { continue }
          shown[step].insert(position)
          note(mapping, step)
        }
      }
    }
    return shown
  }
}

extension MigrationPage.Mapping {
  /// The entities that it fills.
  var destinations: [String] {
    made.isEmpty ? [destination].compactMap(\.self) : made.map(\.entity)
  }
}
