// swift-tools-version: 6.2
import PackageDescription

// One set of sources, compiled as clients of three kinds: each folder in `Clients` is a link to `Sources`. Another set,
// `OwnNames`, declares names that the library has, too.
let package = Package(
  name: "Snippets",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    client("Swift5", [.swiftLanguageMode(.v5)]),
    client("Swift6", [.swiftLanguageMode(.v6)]),
    client(
      "Swift6MainActor",
      [
        .swiftLanguageMode(.v6),
        .defaultIsolation(MainActor.self),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
        .enableUpcomingFeature("InferIsolatedConformances"),
      ]),
    client("OwnNamesSwift5", [.swiftLanguageMode(.v5)]),
    client("OwnNamesSwift6", [.swiftLanguageMode(.v6)]),
  ]
)

func client(_ name: String, _ settings: [SwiftSetting]) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "Streams", package: "Streams"),
      .product(name: "StreamsFoundation", package: "Streams"),
      .product(name: "StreamsTesting", package: "Streams"),
    ],
    path: "Clients/\(name)",
    swiftSettings: settings)
}
