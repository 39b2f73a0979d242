import Passage

/// No bytes may trap the reader of Xcode's models in XML or make it expand without bound, and a model
/// that was read is laid out, written as JSON and read again as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzXcodeModel(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let model = try? XcodeModelReader.read(bytes, name: "M", file: "contents").model else {
    return 0
  }
  _ = model.versionHashesDigest
  _ = StoreLayout(model: model)
  let written = ModelDocument.encode(model)
  let again = try? ModelDocument.decode(Array(written.utf8), file: "again.json")
  precondition(again == model, "a model changes when it is written and read again")
  return 0
}
