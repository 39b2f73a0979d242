import PassageModels
import Synchronization
import Testing

/// Version hashes are worked out once for a model, whoever asks how often.
@Suite struct VersionHashesOnceTests {
  private static let model = Model(
    name: "M",
    entities: [
      Entity(name: "A", attributes: [Attribute(name: "x", type: .string)]),
      Entity(name: "B", parentName: "A"),
    ])

  private final class Count: Sendable {
    let count = Mutex(0)
  }

  @Test func `a value is computed once for all threads`() async {
    let once = ComputedOnce<Int>()
    let computed = Count()
    let values = await withTaskGroup(of: Int.self) { group in
      for number in 0..<64 {
        group.addTask {
          once.value {
            computed.count.withLock { $0 += 1 }
            return number
          }
        }
      }
      return await group.reduce(into: Set<Int>()) { $0.insert($1) }
    }
    #expect(computed.count.withLock { $0 } == 1)
    #expect(values.count == 1)
  }

  @Test func `a model and its copies share what is known, and other models do not`() {
    let model = Self.model
    let hashes = model.versionHashes
    // What is known is not asked for again.
    #expect(model.knownHashes.value { [:] } == hashes)
    var renamed = model
    renamed.name = "N"
    #expect(renamed.knownHashes === model.knownHashes)
    #expect(renamed.versionHashes == hashes)
    let other = Model(
      name: "M",
      entities: model.entities.map { entity in
        var entity = entity
        entity.versionHashModifier = "2"
        return entity
      })
    #expect(other.knownHashes !== model.knownHashes)
    #expect(other.versionHashes != hashes)
  }

  @Test func `a changed entity has a hash of its own in a model whose hashes are known`() throws {
    let model = Self.model
    let hashes = model.versionHashes
    for entity in model.entities {
      #expect(model.versionHash(of: entity) == hashes[entity.name])
      var changed = entity
      changed.isAbstract.toggle()
      #expect(model.versionHash(of: changed) != hashes[entity.name])
    }
    let other = Model(
      name: "M",
      entities: model.entities.map { entity in
        var entity = entity
        entity.isAbstract.toggle()
        return entity
      })
    let child = try #require(other.entity(named: "A"))
    #expect(model.versionHash(of: child) == other.versionHash(of: child))
  }
}
