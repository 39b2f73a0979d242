/// Pairs the names of two versions as Core Data does: by canonical name, which is the renaming
/// identifier if there is one, and otherwise the name.
///
/// A renaming identifier is either the first name that an entity or property ever had, so that it
/// connects names across several renames, or its name in the previous version. Both are supported.
struct InferenceMatching {
  /// The name of an entity or a property.
  struct Named {
    var name: String
    var renamingIdentifier: String?

    /// The renaming identifier if it differs from the name.
    var formerName: String? { renamingIdentifier == name ? nil : renamingIdentifier }
  }

  /// A rename with two possible interpretations.
  struct Ambiguity: Hashable {
    /// Names of the newer version, sorted.
    var new: [String]
    /// Names of the older version, sorted.
    var old: [String]
  }

  /// How certain it is that a newer name corresponds to an older one, in ascending order.
  private enum Certainty: Int, Comparable {
    /// The older one's renaming identifier is the newer one's name: the first name was restored.
    case formerNameOfOld
    case sameName
    /// The newer one's renaming identifier is the older one's name.
    case formerName

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  /// The older name for each newer one that has a counterpart.
  private(set) var oldByNew: [String: String] = [:]
  private(set) var ambiguities: [Ambiguity] = []

  /// - Complexity: O(n log n) for n names.
  init(old: [Named], new: [Named]) {
    let oldNames = Set(old.map(\.name))
    var oldByIdentifier: [String: [String]] = [:]
    for entry in old {
      if let former = entry.formerName { oldByIdentifier[former, default: []].append(entry.name) }
    }
    var claims: [String: [(new: String, certainty: Certainty)]] = [:]
    for entry in new {
      if let former = entry.formerName {
        let sharing = oldByIdentifier[former] ?? []
        if sharing.contains(entry.name) {
          claims[entry.name, default: []].append((entry.name, .formerName))
          continue
        }
        if sharing.count > 1 {
          ambiguities.append(Ambiguity(new: [entry.name], old: sharing.sorted()))
          continue
        }
        if let claimed = sharing.first ?? (oldNames.contains(former) ? former : nil) {
          claims[claimed, default: []].append((entry.name, .formerName))
          continue
        }
      }
      if oldNames.contains(entry.name) {
        claims[entry.name, default: []].append((entry.name, .sameName))
      } else if let sharing = oldByIdentifier[entry.name], sharing.count == 1 {
        claims[sharing[0], default: []].append((entry.name, .formerNameOfOld))
      }
    }
    for (old, claims) in claims.sorted(by: { $0.key < $1.key }) {
      // A restored name has less weight than any other match.
      let strong = claims.filter { $0.certainty > .formerNameOfOld }
      let counted = strong.isEmpty ? claims : strong
      if counted.count == 1 {
        oldByNew[counted[0].new] = old
      } else {
        ambiguities.append(Ambiguity(new: counted.map(\.new).sorted(), old: [old]))
      }
    }
  }

  /// Chooses one interpretation of each ambiguous rename, for a draft: equal names, otherwise the
  /// first ones that have no counterpart yet. The ambiguities stay listed.
  mutating func decide() {
    for ambiguity in ambiguities {
      let taken = Set(oldByNew.values)
      let old = ambiguity.old.filter { !taken.contains($0) }
      let new = ambiguity.new.filter { oldByNew[$0] == nil }
      let same = new.first(where: old.contains)
      guard let chosen = same ?? new.first, let counterpart = same ?? old.first else { continue }
      oldByNew[chosen] = counterpart
    }
  }
}
