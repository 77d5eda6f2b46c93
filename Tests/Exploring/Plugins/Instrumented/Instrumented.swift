import Foundation
import PackagePlugin

/// Builds a target from the product's sources of the same name, as `Instrument` writes them.
///
/// A file of the target itself takes the place of the product's file of that name.
@main
struct Instrumented: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let root = context.package.directoryURL.deletingLastPathComponent().deletingLastPathComponent()
    let own = Set(try Self.sources(in: target.directoryURL).map(\.lastPathComponent))
    let sources = try Part.of(target.name, in: root).filter { !own.contains($0.lastPathComponent) }
    let folder = context.pluginWorkDirectoryURL
    let names = sources.map(\.lastPathComponent) + ["Orders.swift"]
    return [
      .buildCommand(
        displayName: "Instrumenting \(sources.count) sources for \(target.name)",
        executable: try context.tool(named: "Instrument").url,
        arguments: [folder.path, "\(Part.firstNumber(target.name))"] + sources.map(\.path),
        inputFiles: sources, outputFiles: names.map { folder.appendingPathComponent($0) })
    ]
  }

  static func sources(in folder: URL) throws -> [URL] {
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (all?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
      .sorted { $0.path < $1.path }
  }
}

/// What of the product a target is built from.
enum Part {
  /// The files of StreamImages in which threads and tasks meet, and what they need.
  ///
  /// Left out is what is about the system: its clock, its files, and libcurl.
  private static let images = [
    // Coalescing and publishers.
    "JobTable", "JobResult", "FlowStep", "FlowStep+InTurn", "DynamicPriority", "NumberedList",
    "ResultSubscription",
    "ResultSubscriptionState",
    "ResultPublisher",
    // Queues and budgets.
    "WorkQueue", "WorkQueueState", "PriorityQueue", "WaitingTask", "HostQueues", "ByteBudget", "Promise",
    "RateLimiter", "DispatchQueue+perform",
    // Caches and stores.
    "ClockCache", "ClockRing", "CacheStatistics", "EncodedMemoryCache", "LayeredDataCache",
    "DataCaching", "RecentOriginals",
    "DiskReadQueue", "PendingWrites", "StorePermits", "DecodingSession",
    // Loading.
    "CurlLoop", "BodyPipe", "BufferedChunks", "RecordedChunks", "ResumedChunks", "LoadedData", "DataLoading",
    "DataLoadingError", "MonotonicInstant",
    // Tasks of users.
    "LoadingTask", "LoadingTask+Results", "LoadProgress", "ActivityTracker", "Publisher+counting",
    "ImagePrefetcher", "Prefetch", "PrefetchSchedule",
  ]

  static func of(_ target: String, in root: URL) throws -> [URL] {
    switch target {
    case "StreamImages": try named(images, in: root.appendingPathComponent("Sources/StreamImages"))
    case "LockAlone": try named(["Lock"], in: root.appendingPathComponent("Sources/Streams"))
    default: try Instrumented.sources(in: root.appendingPathComponent("Sources/\(target)"))
    }
  }

  private static func named(_ names: [String], in folder: URL) throws -> [URL] {
    let sources = try Instrumented.sources(in: folder)
    return try names.map { name in
      guard let source = sources.first(where: { $0.lastPathComponent == "\(name).swift" }) else {
        throw Missing(description: "\(folder.lastPathComponent) has no \(name).swift")
      }
      return source
    }
  }

  private struct Missing: Error, CustomStringConvertible { let description: String }

  /// Memory orders have numbers of their own in each target.
  static func firstNumber(_ target: String) -> Int {
    switch target {
    case "LockAlone": 801
    case "StreamsExtras": 401
    case "StreamImages": 501
    default: 1
    }
  }
}
