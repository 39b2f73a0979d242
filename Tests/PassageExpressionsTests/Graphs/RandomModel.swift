import PassageModels
import TestSupport

/// Makes models with attributes of every kind, to-one, to-many, many-to-many and ordered
/// relationships, relationships to the own entity, and subentities.
struct RandomModel {
  static let types: [AttributeType] = [
    .integer16, .integer64, .double, .decimal, .string, .boolean, .date, .uuid,
    .float,
  ]

  static func make(_ generator: inout SeededRandom) -> Model {
    let count = Int.random(in: 2...4, using: &generator)
    var entities = (0..<count).map { index in
      Entity(
        name: "E\(index)",
        attributes: types.enumerated().map { number, type in
          Attribute(name: "a\(number)", type: type)
        })
    }
    if generator.chance(40) {
      entities.append(
        Entity(
          name: "E\(count)", parentName: "E0",
          attributes: [Attribute(name: "own", type: .integer32)]))
    }
    for number in 0..<Int.random(in: 2...5, using: &generator) {
      let from = Int.random(in: 0..<entities.count, using: &generator)
      let to = Int.random(in: 0..<entities.count, using: &generator)
      let (many, back) = ("r\(number)", "b\(number)")
      let isOrdered = generator.chance(30)
      let backIsToMany = generator.chance(40)
      entities[from].relationships.append(
        Relationship(
          name: many, destinationEntityName: "E\(to)", inverseName: back, maximumCount: 0,
          isOrdered: isOrdered))
      entities[to].relationships.append(
        Relationship(
          name: back, destinationEntityName: "E\(from)", inverseName: many,
          maximumCount: backIsToMany ? 0 : 1))
    }
    return Model(name: "Random", entities: entities)
  }
}
