// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Streams",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Streams", targets: ["Streams"]),
    .library(name: "StreamsFoundation", targets: ["StreamsFoundation"]),
    .library(name: "StreamsTesting", targets: ["StreamsTesting"]),
    .library(name: "ImageCodecs", targets: ["ImageCodecs"]),
    .library(name: "StreamImages", targets: ["StreamImages"]),
    .library(name: "StreamImagesTesting", targets: ["StreamImagesTesting"]),
    .executable(name: "ChainedLoad", targets: ["ChainedLoad"]),
    .executable(name: "ImageCacheLoader", targets: ["ImageCacheLoader"]),
    .executable(name: "CollageNeue", targets: ["CollageNeue"]),
    .executable(name: "MusicSearch", targets: ["MusicSearch"]),
    .executable(name: "Recipes", targets: ["Recipes"]),
  ],
  // The default is one trait: the package manager passes several in random order, and a build whose order differs from
  // the last one compiles everything again.
  traits: [
    .trait(name: "AllFormats", description: "Includes AVIF, HEIF and TIFF."),
    .trait(name: "AVIF", description: "Reads and writes AVIF, through libavif."),
    .trait(name: "HEIF", description: "Reads and writes HEIC, through libheif."),
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
    .target(name: "StreamsFoundation", dependencies: ["Streams"], swiftSettings: strict),
    .target(name: "StreamsTesting", dependencies: ["Streams", "StreamsFoundation"], swiftSettings: strict),
    .target(
      name: "ImageCodecs", dependencies: ["CCodecs", "CZimg", "CYUV"],
      swiftSettings: strict + [
        .define("CODECS_AVIF", .when(traits: ["AllFormats", "AVIF"])),
        .define("CODECS_HEIF", .when(traits: ["AllFormats", "HEIF"])),
        .define("CODECS_TIFF", .when(traits: ["AllFormats", "TIFF"])),
      ]),
    .target(
      name: "CCodecs",
      dependencies: [
        "CLibJPEG", "CLibPNG", "CLibWebP", "CLibGIF", "CLittleCMS",
        .target(name: "CLibAVIF", condition: .when(traits: ["AllFormats", "AVIF"])),
        .target(name: "CLibHEIF", condition: .when(traits: ["AllFormats", "HEIF"])),
        .target(name: "CLibTIFF", condition: .when(traits: ["AllFormats", "TIFF"])),
      ],
      path: "Sources/C/Codecs",
      cSettings: [
        .define("CODECS_AVIF", .when(traits: ["AllFormats", "AVIF"])),
        .define("CODECS_HEIF", .when(traits: ["AllFormats", "HEIF"])),
        .define("CODECS_TIFF", .when(traits: ["AllFormats", "TIFF"])),
      ],
      // What has no pkg-config file, or one with flags that Swift's package manager refuses.
      linkerSettings: [
        .linkedLibrary("m"), .linkedLibrary("gif"),
        .linkedLibrary("avif", .when(traits: ["AllFormats", "AVIF"])),
      ]),
    .target(name: "CTransport", dependencies: ["CCurl"], path: "Sources/C/Transport"),

    // Floor 2: images as streams.
    .target(
      name: "StreamImages",
      dependencies: ["Streams", "StreamsFoundation", "ImageCodecs", "CTransport"],
      swiftSettings: strict),

    // Floor 3: what tests of programs with images need.
    .target(
      name: "StreamImagesTesting", dependencies: ["StreamImages", "Streams"], swiftSettings: strict),

    // Test support: an HTTP server that misbehaves on demand. Shared by examples and tests.
    .target(name: "LoopbackServer", dependencies: ["Streams"], swiftSettings: strict),

    // Test support: random scripts, and models of the operators. Shared by tests and by `Tests/Fuzzing`.
    .target(
      name: "ScriptedModels", dependencies: ["Streams", "StreamsTesting"], path: "Tests/ScriptedModels",
      swiftSettings: strict),

    // Test support: a process that tests may kill.
    .executableTarget(
      name: "LoadingWorker", dependencies: ["StreamImages"], path: "Tests/LoadingWorker",
      swiftSettings: strict),

    // Test support: the mutants of a source. A package of its own, for which the tests here build it as well.
    .target(name: "Mutations", path: "Tests/Mutating/Sources/Mutations", swiftSettings: strict),

    // Floor 4: examples and tests.
    .executableTarget(
      name: "ChainedLoad", dependencies: ["StreamImages", "LoopbackServer", "Studio"],
      path: "Examples/ChainedLoad", exclude: ["README.md"], resources: [.copy("Photographs")],
      swiftSettings: strict),
    .executableTarget(
      name: "ImageCacheLoader", dependencies: ["StreamImages", "LoopbackServer", "Studio"],
      path: "Examples/ImageCacheLoader", exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "CollageNeue", dependencies: ["StreamImages", "Studio"], path: "Examples/CollageNeue",
      exclude: ["README.md"], swiftSettings: strict),
    .executableTarget(
      name: "MusicSearch", dependencies: ["StreamImages", "StreamsTesting", "LoopbackServer", "Studio"],
      path: "Examples/MusicSearch", exclude: ["README.md"], resources: [.copy("catalogue.json")],
      swiftSettings: strict),
    .executableTarget(
      name: "Recipes", dependencies: ["StreamImages", "StreamsTesting", "LoopbackServer", "Studio"],
      path: "Examples/Recipes", exclude: ["README.md"], swiftSettings: strict),
    // A package of its own, for which the tests here build it as well.
    .executableTarget(
      name: "FarOutPhotos", dependencies: ["StreamImages"],
      path: "Examples/FarOutPhotos/Sources/FarOutPhotos", resources: [.copy("Page")], swiftSettings: strict),
    // What the examples share: paintings, and lines in and out.
    .target(
      name: "Studio", dependencies: ["StreamImages"], path: "Examples/Studio", swiftSettings: strict),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "StreamImages", "ChainedLoad", "ImageCacheLoader", "CollageNeue", "MusicSearch", "Recipes",
        "FarOutPhotos",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsTests", dependencies: ["Streams", "StreamsTesting", "ScriptedModels"],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsTestingTests", dependencies: ["Streams", "StreamsFoundation", "StreamsTesting"],
      swiftSettings: strict),
    .testTarget(
      name: "StreamsFoundationTests",
      dependencies: ["StreamsFoundation", "StreamsTesting", "LoopbackServer"],
      swiftSettings: strict),
    .testTarget(
      name: "ImageCodecsTests", dependencies: ["ImageCodecs"], exclude: ["Files"], swiftSettings: strict),
    .testTarget(
      name: "StreamImagesTests",
      dependencies: [
        "StreamImages", "StreamImagesTesting", "StreamsTesting", "LoopbackServer", "LoadingWorker",
      ],
      swiftSettings: strict),
    .testTarget(name: "LoopbackServerTests", dependencies: ["LoopbackServer"], swiftSettings: strict),
    .testTarget(name: "HouseTests", dependencies: ["Mutations"], swiftSettings: strict),

    // C libraries of the system. `Scripts/setup` installs them.
    .systemLibrary(
      name: "CLibJPEG", path: "Sources/C/System/JPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg62-turbo-dev"]), .yum(["libjpeg-turbo-devel"]), .brew(["jpeg-turbo"])]),
    .systemLibrary(
      name: "CLibPNG", path: "Sources/C/System/PNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"]), .yum(["libpng-devel"]), .brew(["libpng"])]),
    .systemLibrary(
      name: "CLibWebP", path: "Sources/C/System/WebP", pkgConfig: "libwebpdemux",
      providers: [.apt(["libwebp-dev"]), .yum(["libwebp-devel"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CLibGIF", path: "Sources/C/System/GIF",
      providers: [.apt(["libgif-dev"]), .yum(["giflib-devel"]), .brew(["giflib"])]),
    .systemLibrary(
      name: "CLibAVIF", path: "Sources/C/System/AVIF",
      providers: [.apt(["libavif-dev"]), .yum(["libavif-devel"]), .brew(["libavif"])]),
    .systemLibrary(
      name: "CLibHEIF", path: "Sources/C/System/HEIF", pkgConfig: "libheif",
      providers: [.apt(["libheif-dev"]), .yum(["libheif-devel"]), .brew(["libheif"])]),
    .systemLibrary(
      name: "CLibTIFF", path: "Sources/C/System/TIFF", pkgConfig: "libtiff-4",
      providers: [.apt(["libtiff-dev"]), .yum(["libtiff-devel"]), .brew(["libtiff"])]),
    .systemLibrary(
      name: "CLittleCMS", path: "Sources/C/System/LCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"]), .yum(["lcms2-devel"]), .brew(["little-cms2"])]),
    .systemLibrary(
      name: "CZimg", path: "Sources/C/System/Zimg", pkgConfig: "zimg",
      providers: [.apt(["libzimg-dev"]), .yum(["zimg-devel"]), .brew(["zimg"])]),
    .systemLibrary(
      name: "CYUV", path: "Sources/C/System/YUV",
      providers: [.apt(["libyuv-dev"]), .yum(["libyuv-devel"]), .brew(["libyuv"])]),
    .systemLibrary(
      name: "CCurl", path: "Sources/C/System/Curl", pkgConfig: "libcurl",
      providers: [.apt(["libcurl4-openssl-dev"]), .yum(["libcurl-devel"]), .brew(["curl"])]),
  ],
  swiftLanguageModes: [.v6]
)
