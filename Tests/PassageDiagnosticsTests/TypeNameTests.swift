import Foundation
import TestSupport
import Testing

/// A name that two modules give to different things misleads whoever reads both.
struct TypeNameTests {
  @Test func `no two types of the sources have the same name`() throws {
    let declaration =
      /(?m)^(?:(?:package|public|final|indirect|internal) )*(?:struct|class|enum|protocol|actor) (\w+)/
    let files = FileManager.default.enumerator(
      at: Repository.url("Sources"), includingPropertiesForKeys: nil)
    var places: [String: [String]] = [:]
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      for match in try String(contentsOf: file, encoding: .utf8).matches(of: declaration) {
        places[String(match.output.1), default: []].append(file.lastPathComponent)
      }
    }
    #expect(places.count > 500)
    #expect(places.filter { $0.value.count > 1 } == [:])
  }
}
