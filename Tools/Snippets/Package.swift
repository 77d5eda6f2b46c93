// swift-tools-version: 6.2
import PackageDescription

let mainActor: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .defaultIsolation(MainActor.self),
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]

let streams: [Target.Dependency] = [
  .product(name: "Streams", package: "Streams"),
  .product(name: "StreamsExtras", package: "Streams"),
  .product(name: "StreamsFoundation", package: "Streams"),
  .product(name: "StreamsFoundationExtras", package: "Streams"),
  .product(name: "StreamsTesting", package: "Streams"),
]

/// Modules that declare names of StreamsExtras, as packages do that know nothing of it.
let graph = ["GraphSchedulers", "GraphModels", "GraphNetwork", "GraphReplay"]

// One set of sources, compiled as clients of three kinds: each folder in `Clients` is a link to `Sources`. Another set,
// `OwnNames`, declares names that the library has, too; in `Graph`, other modules do. `Races` has five data races: two ways to find them are tried on it.
// `Mistakes` has some that the compiler finds where the main actor is the default.
let package = Package(
  name: "Snippets",
  platforms: [.macOS(.v15)],
  // `CheckedTransforms` is passed on to Streams; the other two mend `Races` and `Mistakes`.
  traits: ["CheckedTransforms", "MendedOnActor", "MendedElsewhere"],
  dependencies: [
    .package(
      name: "Streams", path: "../..",
      traits: [.trait(name: "CheckedTransforms", condition: .when(traits: ["CheckedTransforms"]))])
  ],
  targets: [
    client("Swift5", [.swiftLanguageMode(.v5)]),
    client("Swift6", [.swiftLanguageMode(.v6)]),
    client("Swift6MainActor", mainActor),
    dependency("GraphSchedulers", in: "Graph/Schedulers"),
    dependency("GraphModels", in: "Graph/Models"),
    dependency("GraphNetwork", in: "Graph/Network"),
    dependency("GraphReplay", in: "Graph/Replay"),
    client("GraphSwift6", [.swiftLanguageMode(.v6)], others: graph),
    client("GraphSwift6MainActor", mainActor, others: graph),
    client("OwnNamesSwift5", [.swiftLanguageMode(.v5)]),
    client("OwnNamesSwift6", [.swiftLanguageMode(.v6)]),
    client("Mistakes", mainActor, in: "Mistakes"),
    client(
      "Races", [.swiftLanguageMode(.v6), .unsafeFlags(["-enable-actor-data-race-checks"])], in: "Races"),
  ]
)

func client(
  _ name: String, _ settings: [SwiftSetting], in folder: String? = nil, others: [String] = []
) -> Target {
  .executableTarget(
    name: name, dependencies: streams + others.map { .target(name: $0) }, path: folder ?? "Clients/\(name)",
    swiftSettings: settings)
}

func dependency(_ name: String, in folder: String) -> Target {
  .target(name: name, dependencies: streams, path: folder, swiftSettings: [.swiftLanguageMode(.v6)])
}
