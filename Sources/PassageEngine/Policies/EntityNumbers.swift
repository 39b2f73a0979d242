internal import PassageStores

/// The numbers of the destination's entities, by name, looked up once each.
final class EntityNumbers {
  private let layout: StoreLayout
  private var known: [String: Int64] = [:]

  init(_ layout: StoreLayout) { self.layout = layout }

  func number(of name: String) throws -> Int64 {
    if let number = known[name] { return number }
    guard let number = layout.entity(named: name)?.number else {
      throw PolicyMistake("the destination model has no entity “\(name)”")
    }
    known[name] = Int64(number)
    return Int64(number)
  }
}
