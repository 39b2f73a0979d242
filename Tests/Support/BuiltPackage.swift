internal import Foundation
internal import PassageTesting

/// Builds Swift packages that depend on this one against its modules as they were built for the tests,
/// because building all of them again takes minutes.
///
/// A program named `swift` in a folder of its own knows `build`, `test` and `run NAME`: it compiles each
/// folder of `Sources` and `Tests` as Swift's package manager does, and links them with the built objects.
/// What a manifest says is not read.
public final class BuiltPackage: Sendable {
  private let folder: TemporaryDirectory

  /// Makes the program.
  public init() throws {
    folder = try TemporaryDirectory()
    try folder.write(Array(Self.script.utf8), to: "swift")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: folder.path("swift"))
  }

  /// The folders of a shell's programs: this `swift`, and the built `migrate`, before all others.
  public var environment: [String: String] {
    var environment = ProcessInfo.processInfo.environment
    let program = BuiltProgram.migrate.map { URL(filePath: $0).deletingLastPathComponent().path }
    environment["PATH"] = [folder.path, program, environment["PATH"] ?? "/usr/bin:/bin"]
      .compactMap { $0 }.joined(separator: ":")
    return environment
  }

  /// Runs a line of a shell in the folder of a package.
  public func shell(_ line: String, in package: String) throws -> ChildProgram.Outcome {
    try ChildProgram.run(
      "/bin/bash", ["-uo", "pipefail", "-c", line], in: package, environment: environment)
  }

  /// The folder of what was built with the tests.
  private static var products: String { BuiltProgram.folder ?? "" }

  private static var script: String {
    """
    #!/bin/bash
    set -euo pipefail
    built="$(realpath \(products.shellWord))"
    root=\(Repository.root.shellWord)
    work=.build/built
    mkdir -p "$work"
    flags=(-swift-version 6 -warnings-as-errors -Onone -parse-as-library -wmo
      -I "$built/Modules" -I "$work" -module-cache-path "$work/ModuleCache")
    for library in CDigests CSQLite CLinux CMemory CZlib; do
      flags+=(-Xcc "-fmodule-map-file=$root/Sources/$library/module.modulemap")
    done
    parts=()
    library() {
      swiftc "${flags[@]}" -c -emit-module -module-name "$1" \\
        -emit-module-path "$work/$1.swiftmodule" -o "$work/$1.o" "Sources/$1"/*.swift >&2
      parts+=("$work/$1.o")
    }
    program() {
      find "$built" -path "$built/Passage*.build/*.o" ! -path '*Tests.build/*' >"$work/objects"
      find "$built"/ArgumentParser{,ToolInfo}.build -name '*.o' >>"$work/objects"
      swiftc "${flags[@]}" -module-name "${1//-/_}" -o "$work/$1" "${@:2}" "${parts[@]}" "@$work/objects" \\
        -lsqlite3 -lz -lmd >&2
    }
    programs=()
    for folder in Sources/*/; do
      name="$(basename "$folder")"
      if grep -q '^@main' "$folder"*.swift; then programs+=("$name"); else library "$name"; fi
    done
    case "$1" in
    build) for name in "${programs[@]}"; do program "$name" "Sources/$name"/*.swift; done ;;
    run)
      program "$2" "Sources/$2"/*.swift
      exec "$work/$2" "${@:3}"
      ;;
    test)
      cat >"$work/Runner.swift" <<'END'
    import Testing
    @main struct Runner {
      static func main() async { await Testing.__swiftPMEntryPoint() as Never }
    }
    END
      program AllTests Tests/*/*.swift "$work/Runner.swift"
      NO_COLOR=1 exec "$work/AllTests" --testing-library swift-testing "${@:2}"
      ;;
    *)
      echo "swift $1 is not known here" >&2
      exit 64
      ;;
    esac

    """
  }
}

extension String {
  /// The text as one word of a shell.
  fileprivate var shellWord: String { "'\(replacing("'", with: "'\\''"))'" }
}
