internal import PassageStores

/// The entity numbers of the destination by entity name, each looked up once.
final class EntityNumbers {
  private let layout: StoreLayout
  private var known: [String: Int64] = [:]
  /// The one asked for last: most policies name the same entity for every object.
  private var latest: (name: String, number: Int64)?

  init(_ layout: StoreLayout) { self.layout = layout }

  func number(of name: String) throws -> Int64 {
    if let latest, latest.name == name { return latest.number }
    let number = try found(name)
    latest = (name, number)
    return number
  }

  private func found(_ name: String) throws -> Int64 {
    if let number = known[name] { return number }
    guard let number = layout.entity(named: name)?.number else {
      throw PolicyMistake("the destination model has no entity “\(name)”")
    }
    known[name] = Int64(number)
    return Int64(number)
  }
}
