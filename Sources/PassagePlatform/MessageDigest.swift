#if canImport(CryptoKit)
  internal import CryptoKit
#else
  internal import CDigests
#endif

/// A message digest of bytes that are added one after the other (FIPS 180-4).
package struct MessageDigest: Sendable {
  /// The algorithm. SHA-1 is only for names that a standard makes with it; it protects nothing.
  package enum Algorithm: Sendable, CaseIterable {
    case sha1, sha256, sha512
  }

  /// The digest of some bytes.
  package static func of(_ bytes: [UInt8], by algorithm: Algorithm = .sha256) -> [UInt8] {
    var digest = MessageDigest(algorithm)
    digest.update(bytes)
    return digest.finalized
  }

  private var state: State

  package init(_ algorithm: Algorithm = .sha256) { state = State(algorithm) }

  package mutating func update(_ bytes: [UInt8]) { state.update(bytes) }

  /// The digest of everything added so far: 20, 32 or 64 bytes.
  package var finalized: [UInt8] {
    state.finalize()
  }
}

#if canImport(CryptoKit)
  extension MessageDigest {
    private enum State: Sendable {
      case sha1(Insecure.SHA1)
      case sha256(SHA256)
      case sha512(SHA512)

      init(_ algorithm: Algorithm) {
        self =
          switch algorithm {
          case .sha1: .sha1(Insecure.SHA1())
          case .sha256: .sha256(SHA256())
          case .sha512: .sha512(SHA512())
          }
      }

      mutating func update(_ bytes: [UInt8]) {
        switch self {
        case .sha1(var hash):
          hash.update(data: bytes)
          self = .sha1(hash)
        case .sha256(var hash):
          hash.update(data: bytes)
          self = .sha256(hash)
        case .sha512(var hash):
          hash.update(data: bytes)
          self = .sha512(hash)
        }
      }

      func finalize() -> [UInt8] {
        switch self {
        case .sha1(let hash): Array(hash.finalize())
        case .sha256(let hash): Array(hash.finalize())
        case .sha512(let hash): Array(hash.finalize())
        }
      }
    }
  }
#else
  extension MessageDigest {
    private enum State: Sendable {
      case sha1(SHA1_CTX)
      case sha256(SHA2_CTX)
      case sha512(SHA2_CTX)

      init(_ algorithm: Algorithm) {
        switch algorithm {
        case .sha1:
          var context = SHA1_CTX()
          SHA1Init(&context)
          self = .sha1(context)
        case .sha256:
          var context = SHA2_CTX()
          SHA256Init(&context)
          self = .sha256(context)
        case .sha512:
          var context = SHA2_CTX()
          SHA512Init(&context)
          self = .sha512(context)
        }
      }

      mutating func update(_ bytes: [UInt8]) {
        switch self {
        case .sha1(var context):
          SHA1Update(&context, bytes, bytes.count)
          self = .sha1(context)
        case .sha256(var context):
          SHA256Update(&context, bytes, bytes.count)
          self = .sha256(context)
        case .sha512(var context):
          SHA512Update(&context, bytes, bytes.count)
          self = .sha512(context)
        }
      }

      func finalize() -> [UInt8] {
        switch self {
        case .sha1(var context): Self.bytes(20) { SHA1Final($0, &context) }
        case .sha256(var context): Self.bytes(32) { SHA256Final($0, &context) }
        case .sha512(var context): Self.bytes(64) { SHA512Final($0, &context) }
        }
      }

      private static func bytes(
        _ count: Int, _ body: (UnsafeMutablePointer<UInt8>?) -> Void
      ) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
          body(buffer.baseAddress)
          filled = count
        }
      }
    }
  }
#endif
