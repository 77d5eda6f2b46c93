// swift-tools-version: 6.1
import PackageDescription

// A package of its own: the server comes from Hummingbird, the images from StreamImages.

// As in the root package: on Linux, the compiler finds headers and libraries without `.pc` files.
#if os(Linux)
  let usesPkgConfig = Context.environment["STREAMS_PKG_CONFIG"] != nil
#else
  let usesPkgConfig = true
#endif

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "ThumbnailServer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Streams", path: "../.."),
    .package(name: "StreamsIntegrations", path: "../../Integrations"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.3.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.80.0"),
    .package(url: "https://github.com/apple/swift-nio-extras", from: "1.24.0"),
  ],
  targets: [
    .executableTarget(
      name: "ThumbnailServer",
      dependencies: [
        "CHeap", "CSignatures",
        .product(name: "StreamImages", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
        .product(name: "StreamImagesS3", package: "StreamsIntegrations"),
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
      ],
      swiftSettings: settings),
    // Swift's module of glibc leaves out what is neither C's nor POSIX's.
    .target(name: "CHeap"),
    .systemLibrary(
      name: "CSignatures", pkgConfig: usesPkgConfig ? "libcrypto" : nil,
      providers: [.apt(["libssl-dev"]), .yum(["openssl-devel"]), .brew(["openssl@3"])]),
    .testTarget(
      name: "ThumbnailServerTests",
      dependencies: [
        "ThumbnailServer", .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "InMemoryLogging", package: "swift-log"),
        .product(name: "StreamImagesS3", package: "StreamsIntegrations"),
        .product(name: "StreamImagesTesting", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
