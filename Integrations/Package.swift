// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that Streams itself depends on no package. See README.md.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// As in the root package: on Linux, the compiler finds headers and libraries without `.pc` files.
#if os(Linux)
  let usesPkgConfig = Context.environment["STREAMS_PKG_CONFIG"] != nil
#else
  let usesPkgConfig = true
#endif

let streams = Target.Dependency.product(name: "Streams", package: "Streams")
let extras = Target.Dependency.product(name: "StreamsExtras", package: "Streams")
let testing = Target.Dependency.product(name: "StreamsTesting", package: "Streams")
let images = Target.Dependency.product(name: "StreamImages", package: "Streams")
let imagesTesting = Target.Dependency.product(name: "StreamImagesTesting", package: "Streams")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")
let tracing = Target.Dependency.product(name: "Tracing", package: "swift-distributed-tracing")
func lifecycle(_ name: String) -> Target.Dependency {
  .product(name: name, package: "swift-service-lifecycle")
}
func nio(_ name: String) -> Target.Dependency { .product(name: name, package: "swift-nio") }

let package = Package(
  name: "StreamsIntegrations",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "StreamsNIO", targets: ["StreamsNIO"]),
    .library(name: "StreamsContext", targets: ["StreamsContext"]),
    .library(name: "StreamsLogging", targets: ["StreamsLogging"]),
    .library(name: "StreamsMetrics", targets: ["StreamsMetrics"]),
    .library(name: "StreamsTracing", targets: ["StreamsTracing"]),
    .library(name: "StreamImagesTelemetry", targets: ["StreamImagesTelemetry"]),
    .library(name: "StreamImagesS3", targets: ["StreamImagesS3"]),
    .library(name: "StreamImagesLifecycle", targets: ["StreamImagesLifecycle"]),
  ],
  dependencies: [
    .package(name: "Streams", path: ".."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.5.0"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.2.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.7.0"),
  ],
  targets: [
    .target(
      name: "StreamsNIO", dependencies: [streams, nio("NIOCore"), nio("NIOConcurrencyHelpers")],
      swiftSettings: strict),
    // Task-local values through a chain.
    .target(name: "StreamsContext", dependencies: [streams, tracing], swiftSettings: strict),
    .target(name: "StreamsLogging", dependencies: [streams, logging], swiftSettings: strict),
    .target(name: "StreamsMetrics", dependencies: [streams, metrics], swiftSettings: strict),
    .target(
      name: "StreamsTracing", dependencies: ["StreamsContext", streams, tracing], swiftSettings: strict),
    // Of its own, so that who has no images needs no C libraries.
    .target(
      name: "StreamImagesTelemetry", dependencies: [streams, images, logging, metrics, tracing],
      swiftSettings: strict),
    .target(name: "StreamImagesS3", dependencies: [images, "CS3Crypto"], swiftSettings: strict),
    .systemLibrary(
      name: "CS3Crypto", pkgConfig: usesPkgConfig ? "libcrypto" : nil,
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]),
    .target(
      name: "StreamImagesLifecycle", dependencies: [images, lifecycle("ServiceLifecycle")],
      swiftSettings: strict),
    .testTarget(
      name: "StreamImagesLifecycleTests",
      dependencies: [
        "StreamImagesLifecycle", images, imagesTesting, testing, logging, lifecycle("ServiceLifecycle"),
        lifecycle("ServiceLifecycleTestKit"), lifecycle("UnixSignals"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamImagesS3Tests",
      dependencies: ["StreamImagesS3", images, imagesTesting, testing], exclude: ["Store"],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsTelemetryTests",
      dependencies: [
        "StreamsContext", "StreamsLogging", "StreamsMetrics", "StreamsTracing", "StreamsNIO", streams, extras,
        testing, logging, metrics, tracing,
        .product(name: "StreamsFoundation", package: "Streams"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
        nio("NIOCore"), nio("NIOPosix"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamImagesTelemetryTests",
      dependencies: [
        "StreamImagesTelemetry", streams, extras, testing, images, imagesTesting, logging, metrics, tracing,
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "MetricsTestKit", package: "swift-metrics"),
        .product(name: "InMemoryTracing", package: "swift-distributed-tracing"),
      ],
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
