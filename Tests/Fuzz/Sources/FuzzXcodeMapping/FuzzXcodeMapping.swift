import Foundation
import Passage

/// No bytes may trap the reader of Xcode's mapping models, of the editor's XML or the compiler's
/// archive, and a mapping model that was read is written as JSON and read again as itself. Bytes after
/// an `E` are a model as the editor keeps it inside a mapping model.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXcodeMapping(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if bytes.first == UInt8(ascii: "E") { bytes = Array(mapping(keeping: bytes.dropFirst()).utf8) }
  for model in [nil, model] {
    guard
      let read = try? XcodeMappingReader.read(
        bytes, name: "M", file: "M.xml", source: model, destination: model)
    else { continue }
    _ = read.requiredPolicies
    guard let source = read.source, let destination = read.destination else { continue }
    let (bound, _) = MappingChecker.check(
      read.mapping, source: source, destination: destination, policies: read.requiredPolicies)
    guard bound != nil else { continue }
    let written = MappingDocument.encode(read.mapping)
    let again = try? MappingDocument.decode(Array(written.utf8), file: "M.json")
    precondition(again == read.mapping, "a mapping model changes when it is written and read again")
  }
  return 0
}

/// A mapping model that keeps the same archive as both of its models.
private func mapping(keeping archive: ArraySlice<UInt8>) -> String {
  let text = Data(archive).base64EncodedString()
  return """
    <database><object type="XDDEVMAPPINGMODEL" id="z1">
    <attribute name="sourcemodeldata" type="binary">\(text)</attribute>
    <attribute name="destinationmodeldata" type="binary">\(text)</attribute>
    </object></database>
    """
}

/// A model with the names that the seeds use.
private let model = Model(
  name: "Shop",
  entities: [
    Entity(
      name: "Item",
      attributes: [
        Attribute(name: "price", type: .double), Attribute(name: "cents", type: .integer64),
        Attribute(name: "title", type: .string),
      ],
      relationships: [
        Relationship(name: "maker", destinationEntityName: "Maker", inverseName: "items")
      ]),
    Entity(
      name: "Maker", attributes: [Attribute(name: "name", type: .string)],
      relationships: [
        Relationship(
          name: "items", destinationEntityName: "Item", inverseName: "maker", maximumCount: 0)
      ]),
  ])
