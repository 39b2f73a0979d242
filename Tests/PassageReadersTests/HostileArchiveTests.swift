import Foundation
import PassageDiagnostics
import PassageModels
import PassageReaders
import PassageStores
import TestSupport
import Testing

/// Archives made to harm: each must give an error, soon, and nothing else.
@Suite(.timeLimit(.minutes(15)))
struct HostileArchiveTests {
  private func codes(_ bytes: [UInt8]) -> [String] {
    do {
      return try CompiledModelReader.read(bytes, name: "M", file: "M.mom").remarks.all.map(\.code)
    } catch {
      return error.all.map(\.code)
    }
  }

  @Test(arguments: ["", "bplist00", "bplist00garbage", "momv2$x", "{}", "<plist/>"])
  func `bytes that are no archive are one error`(_ text: String) {
    #expect(codes(Array(text.utf8)) == ["MOD-120"])
  }

  @Test func `a property list that is not an archive is refused`() {
    #expect(codes(PropertyList.dictionary([]).binaryPropertyList) == ["MOD-120"])
    #expect(codes(PropertyList.array([]).binaryPropertyList) == ["MOD-120"])
  }

  @Test func `an archive of another writer is refused`() {
    var builder = ArchiveBuilder()
    let root = builder.add("NSManagedObjectModel", [])
    #expect(codes(builder.archive(root: root, archiver: "Pickle")) == ["MOD-120"])
  }

  @Test(arguments: ["NSMappingModel", "NSDictionary"])
  func `an archive of something else is not a model`(_ name: String) {
    var builder = ArchiveBuilder()
    let root = builder.add(name, [])
    #expect(codes(builder.archive(root: root)) == ["MOD-121"])
  }

  @Test(arguments: [0, 1, 5_000, UInt64.max])
  func `a root that is not an object is refused`(_ number: UInt64) {
    var builder = ArchiveBuilder()
    _ = builder.text("text")
    #expect(codes(builder.archive(root: .uid(number))) == ["MOD-120"])
  }

  @Test func `a reference to a reference is refused`() {
    var builder = ArchiveBuilder()
    let root = builder.add(.uid(1))
    #expect(codes(builder.archive(root: root)) == ["MOD-120"])
  }

  @Test func `a property that is its own proxy is refused`() {
    var archive = ArchivedModel()
    let proxy = archive.builder.add(.string(""))
    archive.builder.set(
      proxy, "_NSPropertyDescriptionProxy", [("NSUnderlyingProperty", proxy)])
    archive.entity("E", properties: [("a", proxy)])
    #expect(codes(archive.archive()) == ["MOD-120"])
  }

  @Test func `an entity that is its own ancestor is refused`() {
    var archive = ArchivedModel()
    archive.entity("E", parent: "E", properties: [archive.attribute("a", 700)])
    #expect(codes(archive.archive()) == ["MOD-014"])
  }

  @Test func `a composite that holds itself is refused`() {
    var archive = ArchivedModel()
    let composite = archive.builder.add(.string(""))
    let elements = archive.builder.array([composite, composite, composite])
    archive.builder.set(
      composite, "NSCompositeAttributeDescription", inherits: ["NSAttributeDescription"],
      [
        ("NSPropertyName", archive.builder.text("c")), ("NSAttributeType", .integer(2100)),
        ("NSElements", elements),
      ])
    archive.entity("E", properties: [("c", composite)])
    #expect(["MOD-106", "MOD-120"].contains(codes(archive.archive()).first))
  }

  @Test func `many entities that share many properties are refused`() {
    var archive = ArchivedModel()
    let properties = (0..<2_000).map { archive.attribute("a\($0)", 700) }
    let dictionary = archive.builder.dictionary(properties)
    for number in 0..<2_000 {
      archive.entity("E\(number)", [("NSProperties", dictionary)])
    }
    #expect(codes(archive.archive()) == ["MOD-106"])
  }

  @Test func `a collection that is shared without end is refused`() {
    var archive = ArchivedModel()
    let texts = (0..<20_000).map { archive.builder.text("v\($0)") }
    let tuple = archive.builder.array(texts)
    let tuples = archive.builder.array(Array(repeating: tuple, count: 20_000))
    archive.entity("E", [("NSUniqueTuples", tuples)])
    #expect(codes(archive.archive()) == ["MOD-106"])
  }

  /// Each reference to the element would sort all of its keys.
  @Test func `an index element with many keys that is shared without end is refused`() {
    var archive = ArchivedModel()
    let expression = archive.builder.add("NSSelfExpression", inherits: ["NSExpression"], [])
    let description = archive.builder.add(
      "NSExpressionDescription", inherits: ["NSPropertyDescription"], [("A", expression)])
    let others: [(String, PropertyList)] = (0..<2_000).map { ("k\($0)", .integer(0)) }
    let element = archive.builder.add(
      "NSFetchIndexElementDescription", [("A", description)] + others)
    let elements = archive.builder.array(Array(repeating: element, count: 2_000))
    let name = archive.builder.text("i")
    let index = archive.builder.add(
      "NSFetchIndexDescription", [("NSIndexName", name), ("NSIndexElements", elements)])
    let indexes = archive.builder.array([index])
    archive.entity("E", [("NSFetchIndexDescriptions", indexes)])
    #expect(codes(archive.archive()) == ["MOD-106"])
  }

  /// Each value would be compared with all of the token.
  @Test func `a long token for missing values is refused`() {
    var archive = ArchivedModel()
    let token = archive.builder.text(String(repeating: "x", count: 65_536))
    let key = archive.builder.text("k")
    let keys = archive.builder.array(Array(repeating: key, count: 1_000))
    let values = archive.builder.array(Array(repeating: token, count: 1_000))
    let strategy = archive.builder.add("NSKnownKeysMappingStrategy1", [("keys", keys)])
    let information = archive.builder.add(
      "NSKnownKeysDictionary1",
      [("searchMapping", strategy), ("values", values), ("emptyToken", token)])
    archive.entity("E", [("NSUserInfo", information)])
    #expect(codes(archive.archive()) == ["MOD-106"])
  }

  /// Every object that has the key would hash all of it.
  @Test(arguments: [256, 257])
  func `a long key of objects is refused`(_ count: Int) {
    var archive = ArchivedModel()
    let key = String(repeating: "k", count: count)
    archive.entity("E", properties: [archive.attribute("a", 700, [(key, .integer(0))])])
    #expect(codes(archive.archive()).contains("MOD-120") == (count > 256))
  }

  /// A model whose derived attributes share a key path of nothing but dots.
  private func dots(_ count: Int, attributes: Int) -> ArchivedModel {
    var archive = ArchivedModel()
    let text = archive.builder.text(String(repeating: ".", count: count))
    let path = archive.builder.add(
      "NSKeyPathSpecifierExpression", inherits: ["NSExpression"], [("NSKeyPath", text)])
    let properties = (0..<attributes).map {
      archive.attribute(
        "d\($0)", 700, [("NSDerivationExpression", path)], class: "NSDerivedAttributeDescription")
    }
    archive.entity("E", properties: properties)
    return archive
  }

  @Test(arguments: [1_000, 65_536, 70_000])
  func `a derivation of many parts is left out, and messages do not repeat it`(
    _ count: Int
  ) throws {
    var archive = dots(count, attributes: 1)
    let remarks = try archive.read().remarks.all
    let isTooLong = count > 65_536
    #expect(remarks.contains { $0.code == "MOD-105" } == isTooLong)
    #expect(remarks.contains { $0.code == "MOD-042" })
    #expect(remarks.allSatisfy { $0.message.count < 400 && ($0.reason ?? "").count < 400 })
  }

  @Test func `a key path of many parts that is shared without end is refused`() {
    var archive = dots(60_000, attributes: 100)
    #expect(codes(archive.archive()) == ["MOD-106"])
  }

  /// Each object takes one byte in the file, and a hundred in memory.
  @Test func `an archive of small objects without end is refused`() {
    let count = BinaryPropertyList.maximumObjects + 1
    var bytes = Array("bplist00".utf8) + [0x08]
    bytes += [UInt8](repeating: 8, count: count)
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [count, 0, 9] {
      bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    #expect(codes(bytes) == ["MOD-106"])
  }

  @Test func `a long text that is shared without end is refused`() {
    var archive = ArchivedModel()
    let text = archive.builder.text(String(repeating: "x", count: 100_000))
    let properties = (0..<1_000).map {
      archive.attribute("a\($0)", 700, [("NSVersionHashModifier", text)])
    }
    archive.entity("E", properties: properties)
    #expect(codes(archive.archive()) == ["MOD-106"])
  }

  @Test func `a name that fills the memory is refused`() {
    var archive = ArchivedModel()
    let name = String(repeating: "x", count: 100_000)
    archive.entity(name, properties: (0..<100).map { archive.attribute("a\($0)", 700) })
    #expect(codes(archive.archive()) == ["MOD-120"])
  }

  @Test(arguments: [
    ("NSAttributeType", PropertyList.integer(12_345)), ("NSAttributeType", .string("x")),
    ("NSIsOptional", .string("YES")), ("NSFlagsKey", .real(1)),
    ("NSPropertyName", .integer(1)), ("NSUserInfo", .string("x")),
    ("NSValueTransformerName", .data([1])), ("NSValidationPredicates", .integer(1)),
  ])
  func `a value of another kind is refused with its place`(_ key: String, _ value: PropertyList) {
    var archive = ArchivedModel()
    archive.entity("E", properties: [archive.attribute("a", 700, [(key, value)])])
    do {
      _ = try archive.read()
      // The name of the dictionary's key stands for one that cannot be read.
      #expect(key == "NSPropertyName")
    } catch {
      #expect(error.all.map(\.code) == ["MOD-120"])
      #expect(error.all.first?.message.contains("“E.a”") == true)
      #expect(error.all.first?.location?.file == "M.mom")
    }
  }

  @Test(arguments: [-1, Int64.max, 1 << 40])
  func `counts that lie are refused`(_ count: Int64) {
    var archive = ArchivedModel()
    archive.entity(
      "E", properties: [archive.relationship("r", to: "E", [("NSMaxCount", .integer(count))])])
    #expect(codes(archive.archive()) == ["MOD-120"])
  }

  @Test func `a dictionary with more keys than values is refused`() {
    var builder = ArchiveBuilder()
    let keys = PropertyList.array([builder.text("a"), builder.text("b")])
    let entities = builder.add(
      "NSDictionary", [("NS.keys", keys), ("NS.objects", .array([builder.text("x")]))])
    let root = builder.add("NSManagedObjectModel", [("NSEntities", entities)])
    #expect(codes(builder.archive(root: root)) == ["MOD-120"])
  }

  @Test func `names that are not names are refused`() {
    var archive = ArchivedModel()
    archive.entity("A\"; DROP TABLE", properties: [archive.attribute("a b", 700)])
    #expect(codes(archive.archive()) == ["MOD-010", "MOD-010"])
  }

  /// A model with most of what archives hold.
  private static func sample() -> [UInt8] {
    var archive = ArchivedModel()
    let attribute = archive.attribute("name", 700, [("NSIsIndexed", .bool(true))])
    let date = archive.builder.add("NSDate", [("NS.time", .real(1))])
    let other = archive.attribute("when", 900, [("NSDefaultValue", date)])
    let tuple = archive.builder.array([archive.builder.text("name")])
    let element = archive.builder.add(
      "NSFetchIndexElementDescription",
      [("NSPropertyName", archive.builder.text("name")), ("NSAscending", .bool(true))])
    let index = archive.builder.add(
      "NSFetchIndexDescription",
      [
        ("NSIndexName", archive.builder.text("name")),
        ("NSIndexElements", archive.builder.array([element])),
      ])
    archive.entity(
      "Root", properties: [attribute, other],
      [
        ("NSUniqueTuples", archive.builder.array([tuple])),
        ("NSFetchIndexDescriptions", archive.builder.array([index])),
      ])
    let child = archive.relationship("root", to: "Root")
    archive.entity("Leaf", parent: "Root", properties: [child])
    return archive.archive(isCached: true)
  }

  @Test func `the sample archive is sound`() {
    #expect(codes(Self.sample()) == ["MOD-024"])
  }

  @Test func `every truncation is an error`() {
    let bytes = Self.sample()
    for count in bytes.indices {
      let codes = codes(Array(bytes[..<count]))
      #expect(codes.contains { $0 != "MOD-024" }, "\(count) of \(bytes.count) bytes")
    }
  }

  @Test func `changed bytes never harm`() {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("changed bytes of an archive, seed \(seed)")
    var random = SeededRandom(seed: seed)
    let sample = Self.sample()
    var refused = 0
    for _ in 0..<5_000 {
      var bytes = sample
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        bytes[position] = UInt8.random(in: 0...255, using: &random)
      }
      do {
        _ = try CompiledModelReader.read(bytes, name: "M", file: "M.mom")
      } catch {
        refused += 1
      }
    }
    #expect(refused > 0, "seed \(seed)")
  }
}
