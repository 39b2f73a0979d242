internal import Passage
internal import PassagePlatform

/// The Swift package of a new project: a policy, a `migrate` that knows it, and tests.
struct NewPackage {
  /// Where the package finds Passage.
  enum Dependency {
    case url(String)
    /// As the manifest of the package names it.
    case path(String)

    /// - Parameters:
    ///   - text: a URL, or the path of a folder with a package.
    ///   - folder: the new package's folder.
    init(_ text: String, from folder: String, _ mistakes: inout CallMistakes) {
      // What Git takes: a scheme, or the short form with a user.
      if text.contains("://") || text.hasPrefix("git@") {
        self = .url(text)
        return
      }
      let path = PathText.normalized(text)
      if !FileManager.default.fileExists(atPath: "\(path)/Package.swift") {
        mistakes.add(
          Diagnostic(
            "CMD-094", "there is no Swift package at “\(text)”",
            reason: "--dependency takes the URL of Passage's repository, or the folder of a copy",
            remedy: "check the path, or begin a URL with https://"))
      }
      // A folder's name identifies its package, so that a path without one is spelled out.
      self = .path(
        path.split(separator: "/").contains { $0 != "." && $0 != ".." }
          ? PathText.path(path, fromFolder: folder) : PathText.absolute(path))
    }

    /// The line of the manifest.
    var declaration: String {
      switch self {
      case .url(let url): ".package(url: \(url.swiftLiteral), branch: \("main".swiftLiteral))"
      case .path(let path): ".package(path: \(path.swiftLiteral))"
      }
    }

    /// The name that Swift's package manager gives the package.
    var identity: String {
      let place =
        switch self {
        case .url(let url): url
        case .path(let path): path
        }
      let last = place.split(separator: "/").last.map(String.init) ?? ""
      return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
    }
  }

  let folder: String
  let dependency: Dependency
  let policy: NewPolicy
  /// The mapping model that names the policy, and the name of its file.
  let mapping: MappingModel
  let mappingFile: String
  /// The models of the step, as the folder of the history names them.
  let sourceModel: String
  let destinationModel: String

  static let policies = "MigrationPolicies"
  /// Not `migrate`: the targets of all packages of a program have different names.
  static let command = "app-migrate"

  var files: [ConvertedFile] {
    [
      ("Package.swift", "package", manifest),
      ("Sources/\(Self.policies)/\(policy.name).swift", "policy", policySource),
      ("Sources/\(Self.command)/Migrate.swift", "command", command),
      ("Tests/\(Self.policies)Tests/\(policy.name)Tests.swift", "tests", tests),
    ].map { path, name, contents in
      ConvertedFile(path: "\(folder)/\(path)", kind: .source, name: name, contents: contents)
    }
  }

  // MARK: Sources

  private func product(_ name: String) -> String {
    ".product(name: \(name.swiftLiteral), package: \(dependency.identity.swiftLiteral))"
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    let package = Package(
      name: "migrations",
      platforms: [.macOS(.v15), .iOS(.v18)],
      products: [
        .library(name: "\(Self.policies)", targets: ["\(Self.policies)"])
      ],
      dependencies: [
        \(dependency.declaration)
      ],
      targets: [
        // The policies, for the app and for the command.
        .target(
          name: "\(Self.policies)",
          dependencies: [\(product("Passage"))]),
        .executableTarget(
          name: "\(Self.command)",
          dependencies: [
            "\(Self.policies)",
            \(product("PassageCommands")),
          ]),
        .testTarget(
          name: "\(Self.policies)Tests",
          dependencies: [
            "\(Self.policies)",
            \(product("Passage")),
            \(product("PassageTesting")),
          ]),
      ]
    )

    """
  }

  private var policySource: String {
    """
    import Passage

    /// Makes the “\(policy.destinationEntity)” of each “\(policy.sourceEntity)”.
    ///
    /// `\(mappingFile.visibleLine)` names it.
    public struct \(policy.name): MigrationPolicy {
      /// The hooks that it has: the others are not called.
      public static let hooks: Set<MigrationHook> = [.createDestinationInstances]

      /// It needs nothing but the source object. See the page on policies before you change this.
      public static let needs: Set<MigrationContext.Need> = []

      /// Raise it with every change of what the policy makes: the store records it.
      public static let revision = "1"

      /// Called when the mapping model is checked, and again for each pass.
      public init(mapping: PolicyMapping) {}

      /// Called once for each source object that the filter takes.
      public func createDestinationInstances(
        for source: SourceObject, in context: MigrationContext
      ) throws {
        // What the mapping model's expressions give. Read `source["name"]`, and declare the object
        // `var` to change it with `set(_:to:)`; return without inserting it to leave it out.
        let object = try context.defaultDestination(for: source)
        try context.insert(object, for: source)
      }
    }

    """
  }

  private var command: String {
    """
    import \(Self.policies)
    import PassageCommands

    /// `swift run \(Self.command)`: the command line with this package's policies.
    @main struct Migrate {
      @MainActor static func main() async {
        await MigrateCommand.run(policies: [\(policy.name).self])
      }
    }

    """
  }

  private var tests: String {
    let counts = policy.isOnlyMaker ? "==" : ">="
    return """
      import Foundation
      import \(Self.policies)
      import Passage
      import PassageTesting
      import Testing

      struct \(policy.name)Tests {
        private static let migrations = URL(filePath: #filePath)
          .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
          .appending(path: "Migrations")

        private static func model(_ path: String) throws -> Model {
          try ModelFile.read(path: path.hasPrefix("/") ? path : "\\(migrations.path)/\\(path)")
        }

        /// Made-up stores of every version go every way to the newest one.
        @Test func `every version can be migrated`() throws {
          let report = try Rehearsal(migrations: Self.migrations, policies: [\(policy.name).self]).run()
          #expect(report.failures == [])
        }

        @Test func `each \(policy.sourceEntity) becomes a \(policy.destinationEntity)`() async throws {
          let folder = try TemporaryDirectory()
          let path = folder.path("Store.sqlite")
          let old = try Self.model(\(sourceModel.swiftLiteral))
          let store = try TestStore(model: old, at: path)
          // With values of your own: store.insert(\(policy.sourceEntity.swiftLiteral), ["name": "value"])
          try store.insertMadeUpObjects(count: 5, seed: 1)
          try store.close()
          let before = try StoreContents(path: path, model: old)

          try await StoreUpgrade(migrations: Self.migrations, policies: [\(policy.name).self])
            .run(storeAt: folder.url("Store.sqlite"), to: \(mapping.destination.value.swiftLiteral))

          let new = try Self.model(\(destinationModel.swiftLiteral))
          let after = try StoreContents(path: path, model: new)
          #expect(
            after[\(policy.destinationEntity.swiftLiteral)].count \(counts) before[\(policy.sourceEntity.swiftLiteral)].count)
        }
      }

      """
  }
}

extension String {
  /// The text as a literal of Swift.
  fileprivate var swiftLiteral: String {
    let escaped = unicodeScalars.map { scalar in
      switch scalar {
      case "\\": "\\\\"
      case "\"": "\\\""
      case _ where scalar.isControl:
        "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return (["\""] + escaped + ["\""]).joined()
  }
}
