#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// The temporary folder of a run, and the few file operations the harness needs. Foundation would
/// add its memory to that of every child (see `PeakMemory` of the subject).
struct Folder {
  private let root: String

  /// Makes a new folder under `TMPDIR`.
  init() throws {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/passage-benchmarks.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Self.failure(parent) }
    root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  func path(_ name: String) -> String { "\(root)/\(name)" }

  /// Removes a file, or a store with its sidecars; what is not there is no error.
  func remove(_ name: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path(name) + suffix) }
  }

  /// Removes the folder with every file in it.
  func removeAll() {
    guard let directory = opendir(root) else { return }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      unlink(path(name))
    }
    closedir(directory)
    rmdir(root)
  }

  func write(_ text: String, to name: String) throws -> String {
    let path = path(name)
    try Self.write(text, at: path)
    return path
  }

  static func write(_ text: String, at path: String) throws {
    guard let file = fopen(path, "w") else { throw failure(path) }
    defer { fclose(file) }
    guard fputs(text, file) >= 0 else { throw failure(path) }
  }

  static func text(_ path: String) throws -> String {
    guard let file = fopen(path, "r") else { throw failure(path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = getc(file), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Makes a file's contents durable.
  static func synchronize(_ path: String) throws {
    let file = open(path, O_RDONLY)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw failure(path) }
  }

  static func byteCount(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func failure(_ path: String) -> Child.Failure {
    Child.Failure(description: "\(path): \(String(cString: strerror(errno)))")
  }
}
