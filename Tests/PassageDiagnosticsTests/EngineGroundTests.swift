import Foundation
import TestSupport
import Testing

/// What the engine stands on: a migration of stores in Core Data's layout needs no reader of XML, no
/// reader of models and no other type of store.
struct EngineGroundTests {
  /// The modules that a module's files import, itself left out.
  private static func imports(of module: String) throws -> Set<String> {
    let folder = Repository.url("Sources/\(module)")
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    var names: Set<String> = []
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.matches(of: /(?m)^\s*(?:@\w+ )*(?:\w+ )?import (\w+)/) {
        names.insert(String(line.output.1))
      }
    }
    return names.subtracting([module])
  }

  /// Every module that a module needs, directly or by way of another.
  private static func ground(of module: String) throws -> Set<String> {
    var found: Set<String> = []
    var pending = [module]
    while let next = pending.popLast() {
      for name in try imports(of: next) where found.insert(name).inserted { pending.append(name) }
    }
    return found
  }

  @Test func `the engine needs neither XML nor readers nor types of store`() throws {
    let ground = try Self.ground(of: "PassageEngine")
    #expect(ground.isSuperset(of: ["CSQLite", "PassageStores", "PassageMappings"]))
    #expect(
      ground.isDisjoint(with: [
        "FoundationXML", "PassageAtomicStores", "PassageProjects", "PassageReaders",
        "PassageTableStores",
      ]), "\(ground.sorted())")
  }

  @Test func `what the engine does without is found where it is needed`() throws {
    let ground = try Self.ground(of: "PassageProjects")
    #expect(ground.isSuperset(of: ["FoundationXML", "PassageReaders", "PassageEngine"]))
  }
}
