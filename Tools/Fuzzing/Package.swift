// swift-tools-version: 6.1
import PackageDescription

// `Scripts/fuzz` builds this with the fuzzer's instrumentation, Streams included; it does not link without.
let package = Package(
  name: "Fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .executableTarget(name: "FuzzOperators", dependencies: ["CFuzzer", "ScriptedModels"]),
    .executableTarget(
      name: "FuzzImages", dependencies: ["CFuzzer", .product(name: "ImageCodecs", package: "Streams")]),
    .target(name: "CFuzzer"),
    // The models of the tests, by a link.
    .target(
      name: "ScriptedModels",
      dependencies: [
        .product(name: "Streams", package: "Streams"), .product(name: "StreamsExtras", package: "Streams"),
        .product(name: "StreamsTesting", package: "Streams"),
      ],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
