import Passage

/// No bytes may trap the reader of binary property lists or make it expand without bound, and a list
/// that was read is written and read again as itself.
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
  return 0
}
