// swift-tools-version: 6.1
import PackageDescription

// Streams as in the package above, but for its locks and atomics, which are the explorer's: each use of one is a
// point where another fiber may take over.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Who accesses what is noted down by thread, and fibers have one thread in common.
let explored = strict + [.unsafeFlags(["-enforce-exclusivity=unchecked"])]

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
    .target(
      name: "Streams", dependencies: ["CThreads", "Interleavings"],
      exclude: ["Product/Engine/Lock.swift", "Product/Publishers/SingleValue.swift"],
      swiftSettings: explored),
    .executableTarget(
      name: "Explore", dependencies: ["Streams", "Interleavings", "CShards"], swiftSettings: explored),
    .executableTarget(
      name: "ExploreAsync", dependencies: ["Streams", "Interleavings", "CFibers", "CJobs", "CShards"],
      swiftSettings: explored),
  ],
  swiftLanguageModes: [.v6]
)
