import Passage

/// No bytes may trap the reader of models, and a model that was read is written and read again as
/// itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzModel(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let model = try? ModelDocument.decode(bytes, file: "model.json") else { return 0 }
  _ = model.versionHashesDigest
  _ = StoreLayout(model: model)
  let written = ModelDocument.encode(model)
  let again = try? ModelDocument.decode(Array(written.utf8), file: "again.json")
  precondition(again == model, "a model changes when it is written and read again")
  return 0
}
