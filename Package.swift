// swift-tools-version: 6.2
import PackageDescription

/// Settings every target of the project is built with.
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// A target of the library: its sources are in `Sources/<name>`. All stand on the platform.
func module(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil
) -> Target {
  .target(
    name: name, dependencies: dependencies + ["PassagePlatform"], resources: resources,
    swiftSettings: strict)
}

/// A test target: its sources are in `Tests/<name>`.
func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: strict)
}

let package = Package(
  name: "passage",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Passage", targets: ["Passage"]),
    .library(name: "PassageFleets", targets: ["PassageFleets"]),
    .library(name: "PassageCommands", targets: ["PassageCommands"]),
    .library(name: "PassageTesting", targets: ["PassageTesting"]),
    .executable(name: "migrate", targets: ["migrate"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0"),
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CMemory"),
    .systemLibrary(
      name: "CDigests", pkgConfig: "libmd", providers: [.apt(["libmd-dev"])]),
    .target(
      name: "PassagePlatform",
      dependencies: [
        // Apple's platforms have digests in the system.
        .target(name: "CDigests", condition: .when(platforms: [.linux])),
        // The sync of a whole file system, and the arenas of memory, are Linux's.
        .target(name: "CLinux", condition: .when(platforms: [.linux])),
      ], swiftSettings: strict),
    module("PassageDiagnostics", []),
    module("PassageValues", []),
    module("PassageFiles", []),
    module("PassagePages", ["CMemory", "PassageFiles", "PassageValues"]),
    module("PassageSQLite", ["CSQLite", "PassageValues"]),
    module("PassageModels", ["PassageDiagnostics", "PassageValues"]),
    module("PassageExpressions", ["PassageDiagnostics", "PassageModels", "PassageValues"]),
    module(
      "PassageMappings",
      ["PassageDiagnostics", "PassageExpressions", "PassageModels", "PassageValues"]),
    module(
      "PassageStores",
      [
        "CZlib", "PassageDiagnostics", "PassageExpressions", "PassageFiles", "PassageModels",
        "PassagePages", "PassageSQLite", "PassageValues",
      ]),
    module(
      "PassageTableStores",
      [
        "PassageDiagnostics", "PassageFiles", "PassageModels", "PassagePages", "PassageSQLite",
        "PassageStores", "PassageValues",
      ]),
    module(
      "PassageAtomicStores",
      [
        "PassageDiagnostics", "PassageFiles", "PassageModels", "PassageSQLite", "PassageStores",
        "PassageValues",
      ]),
    module(
      "PassageReaders",
      [
        "PassageAtomicStores", "PassageDiagnostics", "PassageExpressions", "PassageFiles",
        "PassageMappings", "PassageModels", "PassageStores", "PassageTableStores", "PassageValues",
      ]),
    module(
      "PassagePlanning",
      ["PassageDiagnostics", "PassageExpressions", "PassageMappings", "PassageModels"]),
    module(
      "PassageQueries",
      [
        "PassageExpressions", "PassageModels", "PassageSQLite", "PassageStores", "PassageValues",
      ]),
    module(
      "PassageEngine",
      [
        "PassageDiagnostics", "PassageExpressions", "PassageFiles", "PassageMappings",
        "PassageModels", "PassagePages", "PassagePlanning", "PassageQueries", "PassageSQLite",
        "PassageStores", "PassageValues",
      ]),
    module(
      "PassageProjects",
      [
        "PassageDiagnostics", "PassageEngine", "PassageFiles", "PassageMappings", "PassageModels",
        "PassagePlanning", "PassageReaders", "PassageStores",
      ]),
    module(
      "PassageChecking",
      [
        "PassageDiagnostics", "PassageEngine", "PassageExpressions", "PassageMappings",
        "PassageModels", "PassagePlanning", "PassageProjects", "PassageValues",
      ]),
    module(
      "PassageInspection",
      [
        "PassageDiagnostics", "PassageEngine", "PassageExpressions", "PassageFiles",
        "PassageMappings", "PassageModels", "PassagePlanning", "PassageQueries", "PassageSQLite",
        "PassageStores", "PassageValues",
      ]),
    module(
      "PassagePrefilled",
      [
        "PassageDiagnostics", "PassageEngine", "PassageFiles", "PassageInspection",
        "PassageMappings", "PassageModels", "PassageProjects", "PassageSQLite", "PassageStores",
        "PassageValues",
      ]),
    module(
      "PassageRestoring",
      [
        "PassageDiagnostics", "PassageEngine", "PassageFiles", "PassagePrefilled", "PassageSQLite",
        "PassageStores", "PassageValues",
      ]),
    module(
      "Passage",
      [
        "PassageAtomicStores", "PassageDiagnostics", "PassageEngine", "PassageExpressions",
        "PassageFiles", "PassageInspection", "PassageMappings", "PassageModels", "PassagePlanning",
        "PassagePrefilled", "PassageProjects", "PassageReaders", "PassageRestoring",
        "PassageStores", "PassageValues",
      ]),
    module(
      "PassageFleets",
      [
        "Passage", "PassageDiagnostics", "PassageEngine", "PassageFiles", "PassageMappings",
        "PassageModels", "PassageProjects", "PassageStores",
      ]),
    module(
      "PassageReports",
      [
        "PassageDiagnostics", "PassageEngine", "PassageFleets", "PassageInspection",
        "PassageMappings", "PassageModels", "PassageProjects", "PassageStores",
      ]),
    module(
      "PassageTesting",
      [
        "Passage", "PassageDiagnostics", "PassageEngine", "PassageExpressions", "PassageFiles",
        "PassageInspection", "PassageModels", "PassagePrefilled", "PassageProjects",
        "PassageSQLite", "PassageStores", "PassageValues",
      ]),
    module(
      "PassageCommands",
      [
        .product(name: "ArgumentParser", package: "swift-argument-parser"), "Passage",
        "PassageChecking", "PassageFiles", "PassageFleets", "PassageReports", "PassageSQLite",
        "PassageTesting",
      ],
      // Links to the schemas and the page of errors of the repository, so that the program has the same.
      resources: ["mapping", "model", "history", "store"].map {
        .embedInCode("Schemas/Files/\($0).schema.json")
      } + [.embedInCode("Explaining/Files/Errors.md")]
        + ["parallel.sh", "slurm.sh", "kubernetes.yaml", "systemd.service", "dask.py"].map {
          .embedInCode("Fleet/Templates/\($0)")
        }),
    .executableTarget(
      name: "migrate", dependencies: ["Passage", "PassageCommands"], packageAccess: false,
      swiftSettings: strict),
    // What an app does when it calls the library, as a program that the campaigns attack. Like the one
    // above it sees what is public and nothing else.
    .executableTarget(
      name: "campaign-library", dependencies: ["Passage"], path: "Tests/Campaign/Library",
      packageAccess: false, swiftSettings: strict),
    // What test targets share.
    .target(
      name: "TestSupport",
      dependencies: ["PassageDiagnostics", "PassageMappings", "PassageSQLite", "PassageTesting"],
      path: "Tests/Support", swiftSettings: strict),
    tests("PassageDiagnosticsTests", ["PassageDiagnostics", "TestSupport"]),
    tests(
      "PassagePagesTests",
      [
        "PassageFiles", "PassagePages", "PassageSQLite", "PassageTesting", "PassageValues",
        "TestSupport",
      ]),
    tests("PassageSQLiteTests", ["PassageSQLite", "PassageValues"]),
    tests(
      "PassageModelsTests",
      [
        "PassageDiagnostics", "PassageModels", "PassagePlatform", "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageExpressionsTests",
      [
        "PassageDiagnostics", "PassageEngine", "PassageExpressions", "PassageModels",
        "PassagePages", "PassageQueries", "PassageSQLite", "PassageStores", "PassageTesting",
        "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageMappingsTests",
      [
        "PassageAtomicStores", "PassageDiagnostics", "PassageExpressions", "PassageMappings",
        "PassageModels",
        "PassageProjects", "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageStoresTests",
      [
        "PassageDiagnostics", "PassageExpressions", "PassageFiles", "PassageModels",
        "PassageReaders", "PassageSQLite", "PassageStores", "PassageTableStores", "PassageTesting",
        "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageTableStoresTests",
      [
        "PassageDiagnostics", "PassageFiles", "PassageModels", "PassageSQLite", "PassageStores",
        "PassageTableStores", "PassageTesting", "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageAtomicStoresTests",
      [
        "Passage", "PassageAtomicStores", "PassageDiagnostics", "PassageEngine", "PassageModels",
        "PassageSQLite", "PassageStores", "PassageTesting", "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageReadersTests",
      [
        "PassageDiagnostics", "PassageExpressions", "PassageMappings", "PassageModels",
        "PassageProjects", "PassageReaders", "PassageSQLite", "PassageStores", "PassageTesting",
        "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageEngineTests",
      [
        "Passage", "PassageDiagnostics", "PassageEngine", "PassageExpressions", "PassageFiles",
        "PassageMappings", "PassageModels", "PassagePlanning", "PassagePlatform", "PassageProjects",
        "PassageQueries", "PassageReaders", "PassageRestoring", "PassageSQLite", "PassageStores",
        "PassageTesting", "PassageValues", "TestSupport",
      ]),
    tests(
      "PassageCheckingTests",
      [
        "PassageChecking", "PassageDiagnostics", "PassageEngine", "PassageExpressions",
        "PassageMappings", "PassageModels", "PassageProjects", "PassageTesting", "PassageValues",
        "TestSupport",
      ]),
    tests(
      "PassageFleetsTests",
      [
        "Passage", "PassageDiagnostics", "PassageEngine", "PassageFiles", "PassageFleets",
        "PassageMappings", "PassageModels", "PassageProjects", "PassageStores", "PassageTesting",
        "TestSupport",
      ]),
    tests(
      "PassageReportsTests",
      [
        "PassageDiagnostics", "PassageFleets", "PassageMappings", "PassageModels",
        "PassageProjects", "PassageReports", "PassageStores", "PassageTesting", "TestSupport",
      ]),
    tests(
      "PassageCommandsTests",
      [
        "migrate", "Passage", "PassageCommands", "PassageEngine", "PassageFiles", "PassageFleets",
        "PassageSQLite",
        "PassageTesting", "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// A build that needs few tests, as one under a sanitizer does, names their targets in `PASSAGE_TESTS`:
// `TARGET,TARGET:FILE:FILE`. Of a target with files or folders only these are compiled.
if let chosen = Context.environment["PASSAGE_TESTS"]?.split(separator: ",") {
  var files: [String: [String]] = [:]
  for item in chosen.map({ $0.split(separator: ":").map(String.init) }) {
    files[item[0]] = Array(item.dropFirst())
  }
  package.targets.removeAll { $0.type == .test && files[$0.name] == nil }
  for target in package.targets {
    if let sources = files[target.name], !sources.isEmpty { target.sources = sources }
  }
}
