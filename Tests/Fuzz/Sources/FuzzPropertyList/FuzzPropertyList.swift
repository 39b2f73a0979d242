import Passage

/// No bytes may trap the reader of binary property lists or make it expand without bound, a list that
/// was read is written and read again as itself, and none that is a store's metadata harms.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPropertyList(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let list = try? BinaryPropertyList(bytes), list.objects.count < 10_000,
    let value = try? list.value()
  else { return 0 }
  let written = value.binaryPropertyList
  let again = try? BinaryPropertyList(written).value()
  precondition(
    again?.binaryPropertyList == written, "a list changes when it is written and read again")
  guard case .dictionary(let members) = value else { return 0 }
  let metadata = StoreMetadata(storeUUID: "", members: members)
  _ = (metadata.versionHashes, metadata.frameworkVersion)
  _ = metadata.carriedOver(
    to: ModelHashes(hashes: metadata.versionHashes, digest: "", checksum: ""),
    versionIdentifiers: [])
  return 0
}
