// swift-tools-version: 6.1
import PackageDescription

// Tests of the explorer of interleavings, in a package of their own: what they link stands in front of functions of the
// system, and their code says what it accesses.
//
//   swift test -Xswiftc -Xfrontend -Xswiftc -sanitize=thread

let package = Package(
  name: "InterleavingsTests",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    .target(name: "CFutex"),
    // What `Docs/interleavings.md` shows, file by file.
    .target(name: "Counting"),
    .testTarget(
      name: "PageTests",
      dependencies: [
        "Counting", .product(name: "Interleavings", package: "Streams"),
        .product(name: "InterleavingsStreams", package: "Streams"),
        .product(name: "Streams", package: "Streams"),
      ]),
    .testTarget(
      name: "InterleavingsTests",
      dependencies: ["CFutex", .product(name: "Interleavings", package: "Streams")]),
    .testTarget(
      name: "InterleavingsStreamsTests",
      dependencies: [
        .product(name: "Interleavings", package: "Streams"),
        .product(name: "InterleavingsStreams", package: "Streams"),
        .product(name: "Streams", package: "Streams"),
      ]),
  ],
  swiftLanguageModes: [.v6])
