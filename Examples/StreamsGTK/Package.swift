// swift-tools-version: 6.1
import PackageDescription

// A package of its own, so that nobody needs GTK to build Streams. See README.md.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "StreamsGTK",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "StreamsGLib", targets: ["StreamsGLib"]),
    .library(name: "StreamsGTK", targets: ["StreamsGTK"]),
  ],
  dependencies: [.package(name: "Streams", path: "../..")],
  targets: [
    // The main loop: a scheduler, the main queue, signals. For programs without windows, too.
    .target(
      name: "StreamsGLib",
      dependencies: [
        "CGLib", .product(name: "Streams", package: "Streams"),
        .product(name: "StreamsExtras", package: "Streams"),
        .product(name: "StreamsFoundation", package: "Streams"),
      ],
      swiftSettings: strict),
    // Images in widgets.
    .target(
      name: "StreamsGTK",
      dependencies: ["CGTK", "StreamsGLib", .product(name: "StreamImages", package: "Streams")],
      swiftSettings: strict),

    // A program for each thing that needs a main thread of its own. The tests run them.
    .executableTarget(
      name: "MainLoopCheck",
      dependencies: ["CGLib", "StreamsGLib", .product(name: "StreamsExtras", package: "Streams")],
      path: "Tests/MainLoopCheck",
      swiftSettings: strict),
    .testTarget(
      name: "StreamsGLibTests",
      dependencies: [
        "CGLib", "StreamsGLib", "MainLoopCheck", .product(name: "StreamsTesting", package: "Streams"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsGTKTests",
      dependencies: ["CGTK", "StreamsGLib", "StreamsGTK", .product(name: "Streams", package: "Streams")],
      swiftSettings: strict),

    .systemLibrary(
      name: "CGLib", pkgConfig: "gio-2.0",
      providers: [.apt(["libglib2.0-dev"]), .yum(["glib2-devel"]), .brew(["glib"])]),
    .systemLibrary(
      name: "CGTK", pkgConfig: "gtk4",
      providers: [.apt(["libgtk-4-dev"]), .yum(["gtk4-devel"]), .brew(["gtk4"])]),
  ],
  swiftLanguageModes: [.v6]
)
