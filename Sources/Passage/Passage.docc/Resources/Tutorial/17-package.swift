// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "migrations",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "MigrationPolicies", targets: ["MigrationPolicies"])
  ],
  dependencies: [
    .package(path: "../passage")
  ],
  targets: [
    // The policies, for the app and for the command.
    .target(
      name: "MigrationPolicies",
      dependencies: [.product(name: "Passage", package: "passage")]),
    .executableTarget(
      name: "app-migrate",
      dependencies: [
        "MigrationPolicies",
        .product(name: "PassageCommands", package: "passage"),
      ]),
    // The app: here a program of a few lines.
    .executableTarget(
      name: "notes",
      dependencies: [
        "MigrationPolicies",
        .product(name: "Passage", package: "passage"),
      ]),
    .testTarget(
      name: "MigrationPoliciesTests",
      dependencies: [
        "MigrationPolicies",
        .product(name: "Passage", package: "passage"),
        .product(name: "PassageTesting", package: "passage"),
      ]),
  ]
)
