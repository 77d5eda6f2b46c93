// swift-tools-version: 6.1
import PackageDescription

// Streams as it is, compiled so that it says what it accesses, and explored by the engine of the product `Interleavings`.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// What is explored. The product's own build checks for warnings.
let explored =
  strict + [
    .unsafeFlags([
      "-Xfrontend", "-sanitize=thread", "-enforce-exclusivity=unchecked", "-suppress-warnings",
    ])
  ]

/// What stands in for something: its atomics are steps, and what it keeps for itself is none.
let standIns =
  strict + [
    .unsafeFlags([
      "-Xfrontend", "-sanitize=thread", "-enforce-exclusivity=unchecked",
      "-Xllvm", "-tsan-instrument-memory-accesses=0", "-Xllvm", "-tsan-instrument-memintrinsics=0",
      "-Xllvm", "-tsan-instrument-func-entry-exit=0",
    ])
  ]

/// Scenarios. Nothing of Streams may be compiled into them, or it would be no step either.
let scenarios = standIns + [.unsafeFlags(["-Onone"])]

let partsOfStreamImages = [
  "Caching/ClockCache.swift",
  "Caching/ClockRing.swift",
  "Caching/DataCaching.swift",
  "Caching/DiskReadQueue.swift",
  "Caching/EncodedMemoryCache.swift",
  "Caching/HTTP/RecordedChunks.swift",
  "Caching/LayeredDataCache.swift",
  "Coalescing/DynamicPriority.swift",
  "Coalescing/FlowStep+InTurn.swift",
  "Coalescing/FlowStep.swift",
  "Coalescing/JobTable.swift",
  "Loading/Curl/BodyPipe.swift",
  "Loading/Curl/CurlLoop.swift",
  "Loading/Curl/MonotonicInstant.swift",
  "Loading/DataLoading.swift",
  "Loading/DataLoadingError.swift",
  "Loading/LoadedData.swift",
  "Loading/Resuming/ResumedChunks.swift",
  "LoadingTasks/LoadProgress.swift",
  "LoadingTasks/LoadingTask+Results.swift",
  "LoadingTasks/LoadingTask.swift",
  "Prefetching/ImagePrefetcher.swift",
  "Prefetching/Prefetch.swift",
  "Prefetching/PrefetchSchedule.swift",
  "Publishers/Publisher+counting.swift",
  "Publishers/ResultSubscription.swift",
  "Queues/ByteBudget.swift",
  "Queues/HostQueues.swift",
  "Queues/PriorityQueue.swift",
  "Queues/RateLimiter.swift",
  "Queues/WaitingTask.swift",
  "Queues/WorkQueue.swift",
  "Recipes/ActivityTracker.swift",
  "Stages/DecodingSession.swift",
  "Stages/LoadTurn.swift",
  "Stages/PendingWrites.swift",
  "Stages/RecentOriginals.swift",
  "Stages/StorePermits.swift",
]

let package = Package(
  name: "Exploring",
  platforms: [.macOS(.v15)],
  targets: [
    .target(name: "CInterleavings"),
    .target(name: "CThreads"),
    .target(name: "CShards"),
    // The names that scenarios use, over the engine.
    .target(name: "Interleavings", dependencies: ["CInterleavings"], swiftSettings: strict),
    .target(
      name: "Streams", dependencies: ["CThreads", "Interleavings"],
      exclude: [
        "Product/Streams.docc", "Product/Engine/Synchronization/Lock.swift",
        "Product/Engine/Synchronization/Burst.swift", "Product/Engine/Synchronization/DrainThreads.swift",
      ], swiftSettings: explored),
    .target(
      name: "StreamsExtras", dependencies: ["Streams", "CThreads"], exclude: ["StreamsExtras.docc"],
      swiftSettings: explored),
    .target(name: "LockAlone", dependencies: ["CThreads"], swiftSettings: explored),
    .target(name: "SelfChecks", dependencies: ["Interleavings", "CShards"], swiftSettings: strict),
    // In the place of modules that the sources import, and use through stand-ins only.
    .target(name: "CTransport"),
    .target(name: "StreamsFoundation"),
    .target(name: "CJobs"),
    .target(
      name: "StandIns", dependencies: ["Streams", "Interleavings", "CJobs"], swiftSettings: standIns),
    // The parts of StreamImages in which threads and tasks meet, with stand-ins for the rest.
    .target(
      name: "StreamImages",
      dependencies: [
        "Streams", "StreamsExtras", "StreamsFoundation", "CTransport", "StandIns", "Interleavings",
      ],
      sources: ["Explored"] + partsOfStreamImages.map { "Product/\($0)" },
      swiftSettings: explored + [.unsafeFlags(["-enable-testing"])]),
    .target(
      name: "ImageScenarios",
      dependencies: ["StreamImages", "StreamsExtras", "StandIns", "Interleavings"],
      swiftSettings: scenarios),
    .executableTarget(
      name: "Explore",
      dependencies: [
        "Streams", "StreamsExtras", "LockAlone", "Interleavings", "SelfChecks", "ImageScenarios", "CShards",
      ],
      swiftSettings: scenarios),
    .executableTarget(
      name: "ExploreAsync", dependencies: ["Streams", "StreamsExtras", "Interleavings", "CShards"],
      swiftSettings: scenarios),
  ],
  swiftLanguageModes: [.v6]
)
