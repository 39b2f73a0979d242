// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nothing else needs GRDB.
let package = Package(
  name: "grdb-peer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0")],
  targets: [
    .executableTarget(
      name: "grdb-peer", dependencies: [.product(name: "GRDB", package: "GRDB.swift")],
      path: "Sources/GRDBPeer")
  ],
  swiftLanguageModes: [.v6]
)
