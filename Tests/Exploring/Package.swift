// swift-tools-version: 6.1
import PackageDescription

// Streams and parts of StreamImages as in the package above, but for their locks, atomics, continuations and plain variables,
// which are the explorer's. Each use of a lock, an atomic or a continuation is a point where another fiber may take over.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Who accesses what is noted down by thread, and fibers have one thread in common.
let explored = strict + [.unsafeFlags(["-enforce-exclusivity=unchecked"])]

/// The product's own build checks for warnings.
let instrumented = explored + [.unsafeFlags(["-suppress-warnings"])]

let package = Package(
  name: "Exploring",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "CFibers"),
    // In place of the module of that name above: there, a thread is who runs; here, a fiber.
    .target(name: "CThreads", dependencies: ["CFibers"]),
    .target(name: "CShards"),
    .target(name: "CJobs"),
    .target(name: "Interleavings", dependencies: ["CFibers"], swiftSettings: explored),
    // Writes the product's sources as they are explored. It shares the lexer of the mutants.
    .executableTarget(name: "Instrument"),
    .plugin(name: "Instrumented", capability: .buildTool(), dependencies: ["Instrument"]),
    .target(
      name: "Streams", dependencies: ["CThreads", "Interleavings"], swiftSettings: instrumented,
      plugins: ["Instrumented"]),
    .target(
      name: "StreamsExtras", dependencies: ["Streams", "CThreads", "Interleavings"],
      swiftSettings: instrumented,
      plugins: ["Instrumented"]),
    .target(
      name: "LockAlone", dependencies: ["CThreads", "Interleavings"], swiftSettings: instrumented,
      plugins: ["Instrumented"]),
    // The parts of StreamImages in which threads and tasks meet, with stand-ins for the rest.
    .target(
      name: "StreamImages", dependencies: ["Streams", "StreamsExtras", "CFibers", "CJobs", "Interleavings"],
      swiftSettings: instrumented + [.unsafeFlags(["-enable-testing"])], plugins: ["Instrumented"]),
    .target(
      name: "ImageScenarios", dependencies: ["StreamImages", "StreamsExtras", "Interleavings"],
      swiftSettings: explored),
    .target(name: "SelfChecks", dependencies: ["Interleavings", "CShards"], swiftSettings: explored),
    .executableTarget(
      name: "CheckExplorer", dependencies: ["SelfChecks", "CShards"], swiftSettings: explored),
    .executableTarget(
      name: "Explore",
      dependencies: [
        "Streams", "StreamsExtras", "LockAlone", "Interleavings", "SelfChecks", "CShards", "ImageScenarios",
      ],
      swiftSettings: explored),
    .executableTarget(
      name: "ExploreAsync",
      dependencies: ["Streams", "StreamsExtras", "Interleavings", "CFibers", "CJobs", "CShards"],
      swiftSettings: explored),
  ],
  swiftLanguageModes: [.v6]
)
