// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that Streams itself depends on no package. See README.md.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let streams = Target.Dependency.product(name: "Streams", package: "Streams")
let extras = Target.Dependency.product(name: "StreamsExtras", package: "Streams")
let testing = Target.Dependency.product(name: "StreamsTesting", package: "Streams")
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

let package = Package(
  name: "StreamsIntegrations",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "StreamsNIO", targets: ["StreamsNIO"])
  ],
  dependencies: [
    .package(name: "Streams", path: ".."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
    .package(url: "https://github.com/apple/swift-service-context", from: "1.2.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.7.0"),
  ],
  targets: [
    .target(
      name: "StreamsNIO", dependencies: [streams, nio("NIOCore"), nio("NIOConcurrencyHelpers")],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsNIOTests",
      dependencies: [
        "StreamsNIO", streams, testing, nio("NIOCore"), nio("NIOEmbedded"), nio("NIOPosix"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
