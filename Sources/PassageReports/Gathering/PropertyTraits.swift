internal import PassageModels

extension Attribute {
  /// Its type and what is special about it, in a few words.
  var traits: String {
    var words = [type.name]
    if !isOptional { words.append("required") }
    if isTransient { words.append("transient") }
    if derivation != nil { words.append("derived") }
    return words.joined(separator: ", ")
  }
}

extension Relationship {
  /// Its counts, destination and what is special about it, in a few words.
  var traits: String {
    var words = ["\(countText) \(destinationEntityName)"]
    if isOrdered { words.append("ordered") }
    if isTransient { words.append("transient") }
    return words.joined(separator: ", ")
  }

  /// The numbers of related objects: `0..1`, `1..*`.
  var countText: String {
    let least = isOptional ? 0 : max(1, minimumCount)
    return "\(least)..\(maximumCount > 0 ? "\(maximumCount)" : "*")"
  }
}
