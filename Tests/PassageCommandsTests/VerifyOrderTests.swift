import Foundation
import PassageTesting
import TestSupport
import Testing

/// Files of other types have lists, and no numbers of places: `verify` compares the order.
struct VerifyOrderTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func migrate(_ arguments: [String]) throws -> ChildProgram.Outcome {
    try MigrateProcess.run(arguments, in: folder.path)
  }

  @Test(arguments: ["csv", "jsonl", "xml"])
  func `an ordered relationship in a file is compared by its order`(type: String) throws {
    let list = #"{"name":"bs","destination":"B","inverse":"a","toMany":true"#
    for (version, end) in [("1", "}"), ("2", #","ordered":true}"#)] {
      try folder.write(
        """
        {"name":"\(version)","entities":[{"name":"A","relationships":[\(list)\(end)]},
        {"name":"B","attributes":[{"name":"k","type":"string"}],
         "relationships":[{"name":"a","destination":"A","inverse":"bs"}]}]}
        """, to: "\(version).json")
    }
    try folder.write(
      """
      {"source":"1","destination":"2","entityMappings":[
      {"type":"transform","source":"A","destination":"A","relationships":{"bs":{}}},
      {"type":"copy","source":"B","destination":"B"}]}
      """, to: "Mappings/M.json")
    try folder.write(
      #"{"entity":"B","id":1,"k":"c","a":7}"# + "\n" + #"{"entity":"B","id":2,"k":"a","a":7}"#
        + "\n"
        + #"{"entity":"A","id":7}"# + "\n", to: "old.jsonl")
    let models = ["--models", "1.json", "--models", "2.json", "--mappings", "M"]
    let store = ["--store", "old.jsonl", "--output", "new.\(type)"] + models
    #expect(try migrate(["run"] + store).status == 0)
    let same = try migrate(["verify"] + store)
    #expect(same.status == 0, "\(same.output)")
    guard type == "jsonl" else { return }
    let text = try String(contentsOf: folder.url("new.jsonl"), encoding: .utf8)
    #expect(text.contains("[1,2]"))
    try folder.write(text.replacingOccurrences(of: "[1,2]", with: "[2,1]"), to: "new.jsonl")
    let other = try migrate(["verify"] + store)
    #expect(other.status == 42 && other.output.contains("a (order)"), "\(other.output)")
  }
}
