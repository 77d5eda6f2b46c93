// swift-tools-version: 6.2
import PackageDescription

// One set of sources, compiled as clients of three kinds: each folder in `Clients` is a link to `Sources`. Another set,
// `OwnNames`, declares names that the library has, too. `Races` has five data races: two ways to find them are tried on it.
let package = Package(
  name: "Snippets",
  platforms: [.macOS(.v15)],
  // `CheckedTransforms` is passed on to Streams; the other two mend `Races`.
  traits: ["CheckedTransforms", "MendedOnActor", "MendedElsewhere"],
  dependencies: [
    .package(
      name: "Streams", path: "../..",
      traits: [.trait(name: "CheckedTransforms", condition: .when(traits: ["CheckedTransforms"]))])
  ],
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
    client(
      "Races", [.swiftLanguageMode(.v6), .unsafeFlags(["-enable-actor-data-race-checks"])], in: "Races"),
  ]
)

func client(_ name: String, _ settings: [SwiftSetting], in folder: String? = nil) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      .product(name: "Streams", package: "Streams"),
      .product(name: "StreamsFoundation", package: "Streams"),
      .product(name: "StreamsTesting", package: "Streams"),
    ],
    path: folder ?? "Clients/\(name)",
    swiftSettings: settings)
}
