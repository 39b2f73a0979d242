import Passage

/// No bytes may trap the reader and the checks of mapping models, nor those of histories.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzMapping(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  _ = try? HistoryDocument.decode(bytes, file: "history.json")
  guard let mapping = try? MappingDocument.decode(bytes, file: "mapping.json") else { return 0 }
  _ = MappingChecker.check(
    mapping, source: model("1"), destination: model("2"),
    policies: [PolicySignature(name: "P", functionSelectors: ["f:"])])
  return 0
}

/// A model with the names that the seeds use.
private func model(_ name: String) -> Model {
  Model(
    name: name,
    entities: [
      Entity(
        name: "Event",
        attributes: [
          Attribute(name: "timeStamp", type: .date), Attribute(name: "timestamp", type: .double),
          Attribute(name: "printedDate", type: .string),
        ],
        relationships: [Relationship(name: "next", destinationEntityName: "Event")])
    ])
}
