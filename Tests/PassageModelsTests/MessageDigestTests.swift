import Foundation
import PassagePlatform
import PassageTesting
import TestSupport
import Testing

struct MessageDigestTests {
  private static let seed = RandomSeed.told(for: "MessageDigestTests")

  private func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return byte < 16 ? "0" + digits : digits
    }.joined()
  }

  /// The examples of FIPS 180-4 that NIST publishes, and the digest of nothing.
  @Test(arguments: [
    (MessageDigest.Algorithm.sha1, "", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    (.sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
    (
      .sha1, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "84983e441c3bd26ebaae4aa1f95129e5e54670f1"
    ),
    (.sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    (.sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      .sha256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      .sha512, "",
      "cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce"
        + "47d0d13c5d85f2b0ff8318d2877eec2f63b931bd47417a81a538327af927da3e"
    ),
    (
      .sha512, "abc",
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
    ),
    (
      .sha512,
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
        + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
        + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909"
    ),
  ])
  func `digests are those of the standard`(
    _ algorithm: MessageDigest.Algorithm, _ text: String, _ digest: String
  ) {
    #expect(hexadecimal(MessageDigest.of(Array(text.utf8), by: algorithm)) == digest)
  }

  @Test(arguments: [
    (MessageDigest.Algorithm.sha1, "sha1sum"), (.sha256, "sha256sum"), (.sha512, "sha512sum"),
  ])
  func `digests are those of the system's programs`(
    _ algorithm: MessageDigest.Algorithm, _ name: String
  ) throws {
    let program = "/usr/bin/\(name)"
    guard FileManager.default.fileExists(atPath: program) else { return }
    var random = SeededRandom(seed: Self.seed)
    let folder = try TemporaryDirectory()
    var expected: [String] = []
    // Every length up to two blocks and the length field, then longer ones.
    for length in Array(0...300)
      + (0..<40).map({ _ in Int.random(in: 301...200_000, using: &random) })
    {
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      var digest = MessageDigest(algorithm)
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(Int.random(in: 1...max(1, length), using: &random))
        digest.update(Array(part))
        rest = rest.dropFirst(part.count)
      }
      #expect(digest.finalized == MessageDigest.of(bytes, by: algorithm))
      try folder.write(bytes, to: "\(expected.count)")
      expected.append(hexadecimal(digest.finalized))
    }
    let outcome = try ChildProgram.run(
      program, expected.indices.map(String.init), in: folder.path)
    let found = outcome.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
    #expect(found == expected)
  }

  @Test func `a digest may be asked for and continued`() {
    var digest = MessageDigest()
    digest.update(Array("a".utf8))
    #expect(digest.finalized == MessageDigest.of(Array("a".utf8)))
    digest.update(Array("bc".utf8))
    #expect(digest.finalized == MessageDigest.of(Array("abc".utf8)))
  }
}
