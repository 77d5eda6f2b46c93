// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

// Where a `.pc` file is missing, SwiftPM prints a warning in each build of every client, also of those that use `Streams` alone
// and need no C library. On Linux the compiler finds headers and libraries without these files, so they are not looked for.
// Set STREAMS_PKG_CONFIG if your libraries are in folders of their own.
#if os(Linux)
  let usesPkgConfig = Context.environment["STREAMS_PKG_CONFIG"] != nil
#else
  let usesPkgConfig = true
#endif

func library(
  _ name: String, in folder: String, pkgConfig: String? = nil, apt: String, yum: String, brew: String
) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/System/\(folder)", pkgConfig: usesPkgConfig ? pkgConfig : nil,
    providers: [.apt([apt]), .yum([yum]), .brew([brew])])
}

let package = Package(
  name: "Streams",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "StreamsExtras", targets: ["StreamsExtras"]),
    .library(name: "StreamsFoundation", targets: ["StreamsFoundation"]),
    .library(name: "StreamsFoundationExtras", targets: ["StreamsFoundationExtras"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
    .library(name: "StreamsInspector", targets: ["StreamsInspector"]),
    .library(name: "Interleavings", targets: ["Interleavings"]),
    .library(name: "InterleavingsStreams", targets: ["InterleavingsStreams"]),
    .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
    .library(name: "StreamImages", targets: ["StreamImages"]),
    .library(name: "StreamImagesTesting", targets: ["StreamImagesTesting"]),
    .executable(name: "image-worker", targets: ["ImageWorkerProgram"]),
  ],
  // The default is one trait: the package manager passes several in random order, and a build whose order differs from
  // the last one compiles everything again.
  traits: [
    .trait(name: "AllFormats", description: "Includes AVIF, HEIF, JPEG XL and TIFF."),
    .trait(name: "AVIF", description: "Reads and writes AVIF, through libavif."),
    .trait(name: "HEIF", description: "Reads and writes HEIC, through libheif."),
    .trait(name: "JPEGXL", description: "Reads and writes JPEG XL, through libjxl."),
    .trait(name: "TIFF", description: "Reads TIFF, through libtiff."),
    .trait(
      name: "CheckedTransforms",
      description: "Finds closures of operators that race: they must be `sending`. The product is the same."),
    .default(enabledTraits: ["AllFormats"]),
  ],
  targets: [
    // Floor 0: the contract, the engines, the operators.
    .target(name: "Streams", dependencies: ["CThreads"], swiftSettings: strict),
    .target(name: "CThreads", path: "Sources/C/Threads"),

    // Floor 1: what stands on Streams, and what stands beside it.
    .target(name: "StreamsExtras", dependencies: ["Streams", "CThreads"], swiftSettings: strict),
    .target(name: "StreamsFoundation", dependencies: ["Streams"], swiftSettings: strict),
    .target(
      name: "StreamsFoundationExtras", dependencies: ["Streams", "StreamsExtras", "StreamsFoundation"],
      swiftSettings: strict),
    .target(
      name: "StreamsTesting",
      dependencies: ["Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras", "CThreads"],
      swiftSettings: strict),

    // A live page for debugging. Nothing of it is in other products.
    .target(
      name: "StreamsInspector", dependencies: ["Streams", "StreamsExtras", "LoopbackSockets", "CThreads"],
      resources: [.embedInCode("Page.html")], swiftSettings: strict),
    // Sockets of 127.0.0.1, for the inspector and for the server of tests.
    .target(name: "LoopbackSockets", dependencies: ["Streams"], swiftSettings: strict),

    // For tests of anybody's code: every order of its threads and tasks. Nothing of it is in other products.
    .target(name: "Interleavings", dependencies: ["CInterleavings"], swiftSettings: strict),
    .target(name: "CInterleavings", path: "Sources/C/Interleavings"),
    .target(
      name: "InterleavingsStreams", dependencies: ["Interleavings", "CInterleavings", "Streams"],
      swiftSettings: strict),

    .target(
      name: "ImageCodecs", dependencies: ["CCodecs", "CSandbox", "CZimg"],
      swiftSettings: strict + [
        .define("CODECS_AVIF", .when(traits: ["AllFormats", "AVIF"])),
        .define("CODECS_HEIF", .when(traits: ["AllFormats", "HEIF"])),
        .define("CODECS_JPEGXL", .when(traits: ["AllFormats", "JPEGXL"])),
        .define("CODECS_TIFF", .when(traits: ["AllFormats", "TIFF"])),
      ]),
    .target(
      name: "CCodecs",
      dependencies: [
        "CLibJPEG", "CLibPNG", "CLibWebP", "CLibGIF", "CLittleCMS",
        .target(name: "CLibAVIF", condition: .when(traits: ["AllFormats", "AVIF"])),
        .target(name: "CLibHEIF", condition: .when(traits: ["AllFormats", "HEIF"])),
        .target(name: "CLibJXL", condition: .when(traits: ["AllFormats", "JPEGXL"])),
        .target(name: "CLibTIFF", condition: .when(traits: ["AllFormats", "TIFF"])),
      ],
      path: "Sources/C/Codecs",
      cSettings: [
        .define("CODECS_AVIF", .when(traits: ["AllFormats", "AVIF"])),
        .define("CODECS_HEIF", .when(traits: ["AllFormats", "HEIF"])),
        .define("CODECS_JPEGXL", .when(traits: ["AllFormats", "JPEGXL"])),
        .define("CODECS_TIFF", .when(traits: ["AllFormats", "TIFF"])),
      ],
      // By name, since `.pc` files are not read on Linux; that of libavif has flags that SwiftPM refuses.
      linkerSettings: [
        .linkedLibrary("m"), .linkedLibrary("jpeg"), .linkedLibrary("png"), .linkedLibrary("z"),
        .linkedLibrary("webp"),
        .linkedLibrary("webpdemux"), .linkedLibrary("gif"), .linkedLibrary("lcms2"),
        .linkedLibrary("avif", .when(traits: ["AllFormats", "AVIF"])),
        .linkedLibrary("heif", .when(traits: ["AllFormats", "HEIF"])),
        .linkedLibrary("jxl", .when(traits: ["AllFormats", "JPEGXL"])),
        .linkedLibrary("tiff", .when(traits: ["AllFormats", "TIFF"])),
      ]),
    .target(name: "CSandbox", path: "Sources/C/Sandbox"),
    .target(
      name: "CTransport", dependencies: ["CCurl"], path: "Sources/C/Transport",
      linkerSettings: [.linkedLibrary("curl")]),

    // The worker process of `DecodingIsolation`, for programs that cannot be their own.
    .executableTarget(name: "ImageWorkerProgram", dependencies: ["ImageCodecs"], swiftSettings: strict),

    // Floor 2: images as streams.
    .target(
      name: "StreamImages",
      dependencies: [
        "Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras", "ImageCodecs",
        "CTransport", "CCrypto",
      ],
      swiftSettings: strict),

    // Floor 3: what tests of programs with images need.
    .target(
      name: "StreamImagesTesting", dependencies: ["StreamImages", "Streams", "StreamsExtras"],
      swiftSettings: strict),

    // Test support: an HTTP server that misbehaves on demand. Shared by examples and tests.
    .target(
      name: "LoopbackServer", dependencies: ["Streams", "StreamsExtras", "LoopbackSockets"],
      swiftSettings: strict),

    // Test support: random scripts, and models of the operators. Shared by tests and by `Tools/Fuzzing`.
    .target(
      name: "ScriptedModels", dependencies: ["Streams", "StreamsExtras", "StreamsTesting"],
      path: "Tests/ScriptedModels",
      swiftSettings: strict),

    // Test support: what tests of several targets measure.
    .target(name: "TestSupport", path: "Tests/Support", swiftSettings: strict),

    // Test support: a process that tests may kill.
    .executableTarget(
      name: "LoadingWorker", dependencies: ["StreamImages", "StreamsExtras"], path: "Tests/LoadingWorker",
      swiftSettings: strict),

    // Test support: small models of a pipeline, in all schedules.
    .executableTarget(
      name: "PipelineLaw", dependencies: ["StreamImages", "StreamImagesTesting", "StreamsExtras"],
      path: "Tests/PipelineLaw", swiftSettings: strict),

    // Test support: a worker process that does each thing it must not be able to do.
    .executableTarget(
      name: "HostileWorker", dependencies: ["ImageCodecs", "CCodecs", "CSabotage"],
      path: "Tests/HostileWorker/Worker",
      swiftSettings: strict + [.define("CODECS_HEIF", .when(traits: ["AllFormats", "HEIF"]))]),
    .target(name: "CSabotage", path: "Tests/HostileWorker/Sabotage"),

    // What a page of images costs over bad links. Here, because the relay is in this package.
    .executableTarget(
      name: "Links", dependencies: ["StreamImages", "LoopbackServer"], path: "Benchmarks/Sources/Links",
      swiftSettings: strict),

    // Test support: a process whose wall clock can be set.
    .executableTarget(
      name: "ShiftedClock", dependencies: ["StreamsExtras", "StreamsFoundation", "CShiftedClock"],
      path: "Tests/ShiftedClock/Program", swiftSettings: strict),
    .target(name: "CShiftedClock", path: "Tests/ShiftedClock/Clock"),

    // Test support: the mutants of a source. A package of its own, for which the tests here build it as well.
    .target(name: "Mutations", path: "Tools/Mutating/Sources/Mutations", swiftSettings: strict),

    // Test support: runs the examples of the reference, and draws its diagrams.
    .executableTarget(
      name: "Reference", dependencies: ["Streams", "StreamsExtras", "StreamsTesting"],
      path: "Tools/Reference",
      exclude: ["Examples.tsv", "README.md"],
      swiftSettings: strict),

    // Floor 4: examples and tests.
    .executableTarget(
      name: "ChainedLoad", dependencies: ["StreamImages", "LoopbackServer", "Studio"],
      path: "Examples/ChainedLoad", exclude: ["README.md"], resources: [.copy("Photographs")],
      swiftSettings: strict),
    .executableTarget(
      name: "ImageCacheLoader", dependencies: ["StreamImages", "LoopbackServer", "Studio"],
      path: "Examples/ImageCacheLoader", exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "CollageNeue", dependencies: ["StreamImages", "StreamsExtras", "Studio"],
      path: "Examples/CollageNeue",
      exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "MusicSearch",
      dependencies: [
        "StreamImages", "StreamsExtras", "StreamsFoundationExtras", "StreamsTesting", "StreamsInspector",
        "LoopbackServer", "Studio",
      ],
      path: "Examples/MusicSearch", exclude: ["README.md"], resources: [.copy("catalogue.json")],
      swiftSettings: strict),
    .executableTarget(
      name: "Recipes",
      dependencies: ["StreamImages", "StreamsTesting", "LoopbackServer", "Studio"],
      path: "Examples/Recipes", exclude: ["README.md"], swiftSettings: strict),
    // A package of its own, for which the tests here build it as well.
    .executableTarget(
      name: "FarOutPhotos", dependencies: ["StreamImages", "StreamsExtras"],
      path: "Examples/FarOutPhotos/Sources/FarOutPhotos", resources: [.copy("Page")], swiftSettings: strict),
    // What the examples share: paintings, and lines in and out.
    .target(
      name: "Studio", dependencies: ["StreamImages", "StreamsExtras"], path: "Examples/Studio",
      swiftSettings: strict),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "StreamImages", "StreamsExtras", "ChainedLoad", "ImageCacheLoader", "CollageNeue", "MusicSearch",
        "Recipes",
        "FarOutPhotos",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsTests",
      dependencies: [
        "Streams", "StreamsExtras", "StreamsTesting", "ScriptedModels", "CThreads", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsTestingTests",
      dependencies: [
        "Streams", "StreamsExtras", "StreamsFoundation", "StreamsFoundationExtras", "StreamsTesting",
        "Reference",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsFoundationTests",
      dependencies: [
        "StreamsFoundation", "StreamsFoundationExtras", "StreamsTesting", "LoopbackServer", "ShiftedClock",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ImageCodecsTests",
      dependencies: [
        "ImageCodecs", "CCodecs", "CSandbox", "HostileWorker", "ImageWorkerProgram", "TestSupport",
      ],
      exclude: ["Files"], swiftSettings: strict),
    .testTarget(
      name: "StreamImagesTests",
      dependencies: [
        "StreamImages", "StreamImagesTesting", "StreamsExtras", "StreamsFoundationExtras", "StreamsTesting",
        "LoopbackServer", "LoadingWorker",
        "HostileWorker", "ImageWorkerProgram", "CTransport", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "PipelineLawTests", dependencies: ["PipelineLaw", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "StreamsInspectorTests",
      dependencies: ["StreamsInspector", "Streams", "StreamsExtras", "LoopbackSockets", "ScriptedModels"],
      swiftSettings: strict),
    .testTarget(
      name: "LoopbackServerTests", dependencies: ["LoopbackServer", "LoopbackSockets"], swiftSettings: strict),
    .testTarget(name: "HouseTests", dependencies: ["Mutations"], swiftSettings: strict),

    // C libraries of the system. `Scripts/setup` installs them.
    library(
      "CLibJPEG", in: "JPEG", pkgConfig: "libjpeg", apt: "libjpeg62-turbo-dev", yum: "libjpeg-turbo-devel",
      brew: "jpeg-turbo"),
    library(
      "CLibPNG", in: "PNG", pkgConfig: "libpng", apt: "libpng-dev", yum: "libpng-devel", brew: "libpng"),
    library(
      "CLibWebP", in: "WebP", pkgConfig: "libwebpdemux", apt: "libwebp-dev", yum: "libwebp-devel",
      brew: "webp"),
    library("CLibGIF", in: "GIF", apt: "libgif-dev", yum: "giflib-devel", brew: "giflib"),
    library("CLibAVIF", in: "AVIF", apt: "libavif-dev", yum: "libavif-devel", brew: "libavif"),
    library(
      "CLibHEIF", in: "HEIF", pkgConfig: "libheif", apt: "libheif-dev", yum: "libheif-devel", brew: "libheif"),
    library(
      "CLibJXL", in: "JPEGXL", pkgConfig: "libjxl", apt: "libjxl-dev", yum: "libjxl-devel", brew: "jpeg-xl"),
    library(
      "CLibTIFF", in: "TIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev", yum: "libtiff-devel",
      brew: "libtiff"),
    library(
      "CLittleCMS", in: "LCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", yum: "lcms2-devel",
      brew: "little-cms2"),
    library("CZimg", in: "Zimg", pkgConfig: "zimg", apt: "libzimg-dev", yum: "zimg-devel", brew: "zimg"),
    library(
      "CCurl", in: "Curl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", yum: "libcurl-devel",
      brew: "curl"),
    library(
      "CCrypto", in: "Crypto", pkgConfig: "libcrypto", apt: "libssl-dev", yum: "openssl-devel",
      brew: "openssl@3"),
  ],
  swiftLanguageModes: [.v6]
)

// SwiftPM builds all modules of tests or none. STREAMS_TESTS names those that a machine has time for.
if let names = Context.environment["STREAMS_TESTS"]?.split(separator: " ").map(String.init) {
  package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
}
