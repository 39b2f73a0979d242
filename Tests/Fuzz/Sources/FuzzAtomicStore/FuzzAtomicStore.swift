import Foundation
import Passage

/// No bytes may trap the readers of stores that are loaded whole, and what one of them has read is
/// saved and loaded again as the same objects. The first byte says which reader takes the rest.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAtomicStore(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let rest = Array(bytes.dropFirst())
  let type: any AtomicStoreType
  switch first {
  case UInt8(ascii: "D"): type = DelimitedTextStoreType()
  case UInt8(ascii: "K"): type = KeyedRecordsStoreType()
  case UInt8(ascii: "J"): type = JSONLinesStoreType()
  case UInt8(ascii: "X"): type = XMLStoreType()
  case UInt8(ascii: "S"):
    _ = try? TextStoreSettings.decode(rest, file: "s.json")
    return 0
  default: return 0
  }
  // A file that does not exist has no settings beside it.
  let path = "/nonexistent/fuzz"
  let file = AtomicStore.File(path: path, bytes: rest)
  _ = try? type.declaredModel(file)
  guard !file.isReserved, let contents = try? type.load(file, as: model) else { return 0 }
  let store = AtomicStore(type: type, location: nil, model: model)
  for node in contents.nodes { store.insert(node) }
  guard (try? store.save()) != nil,
    let written = try? type.save(
      AtomicStore.Contents(nodes: store.cacheNodes, storeUUID: "U"), of: model, to: path,
      options: StoredObjects.WritingOptions())
  else { return 0 }
  let again = try? type.load(AtomicStore.File(path: path, bytes: written), as: model)
  precondition(again?.rejected.isEmpty == true, "what was saved cannot be loaded")
  let values = again?.nodes.map { [$0.identifier.description: $0.values] }.sorted {
    "\($0)" < "\($1)"
  }
  let expected = store.cacheNodes.map { [$0.identifier.description: $0.values] }
    .sorted { "\($0)" < "\($1)" }
  precondition(values?.map { "\($0)" }.count == expected.count, "objects are lost")
  let second = try? type.save(
    AtomicStore.Contents(nodes: again?.nodes ?? [], storeUUID: "U"), of: model, to: path,
    options: StoredObjects.WritingOptions())
  precondition(
    type.name == "delimited" || second == written, "a store changes when it is saved again")
  return 0
}

/// A model with the names that the seeds use.
private let model = Model(
  name: "People",
  entities: [
    Entity(
      name: "Person",
      attributes: [
        Attribute(name: "first", type: .string), Attribute(name: "born", type: .date),
        Attribute(name: "age", type: .integer16), Attribute(name: "cost", type: .decimal),
        Attribute(name: "photo", type: .binary), Attribute(name: "mark", type: .uuid),
        Attribute(name: "isNew", type: .boolean), Attribute(name: "size", type: .double),
      ],
      relationships: [
        Relationship(name: "boss", destinationEntityName: "Person", inverseName: "staff"),
        Relationship(
          name: "staff", destinationEntityName: "Person", inverseName: "boss", maximumCount: 0,
          isOrdered: true),
        Relationship(
          name: "friends", destinationEntityName: "Person", inverseName: "friends",
          maximumCount: 0),
      ])
  ])
