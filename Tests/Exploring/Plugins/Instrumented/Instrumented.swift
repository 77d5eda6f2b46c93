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
  /// The parts of StreamImages where threads and tasks meet. A type names the file that declares it.
  ///
  /// Left out is what is about the system: its clock, its files, and libcurl.
  private static let images = [
    "JobTable", "PullingSubscriber", "DynamicPriority",
    "ResultSubscription", "ResultSubscriptionState", "ResultPublisher", "LastValue",
    "WorkQueue", "WorkQueueState", "PriorityQueue", "WaitingTask", "HostQueues", "ByteBudget", "Promise",
    "CancellationFlag",
    "ClockCache", "ClockRing", "CacheStatistics", "EncodedMemoryCache", "CachedData", "RecentOriginals",
    "PendingWrites", "StorePermits", "DecodingSession", "BodyCollector",
    "BodyPipe", "BufferedChunks", "RecordedChunks", "LoadedData", "DataLoadingError",
    "LoadingTask", "LoadProgress", "ActivityTracker", "CountedSubscription",
  ]

  static func of(_ target: String, in root: URL) throws -> [URL] {
    switch target {
    case "StreamImages":
      try declaring(images, in: root.appendingPathComponent("Sources/StreamImages"))
    case "LockAlone":
      try declaring(["Lock"], in: root.appendingPathComponent("Sources/Streams"))
    default: try Instrumented.sources(in: root.appendingPathComponent("Sources/\(target)"))
    }
  }

  /// The sources in which one of these types is declared.
  private static func declaring(_ types: [String], in folder: URL) throws -> [URL] {
    let words = "(?m)^((public|package|private|final) )*(class|struct|enum) "
    let declaration = try Regex(words + "(" + types.joined(separator: "|") + ")( \\{|[:<])")
    return try Instrumented.sources(in: folder).filter {
      try String(contentsOf: $0, encoding: .utf8).contains(declaration)
    }
  }

  /// Memory orders have numbers of their own in each target.
  static func firstNumber(_ target: String) -> Int {
    switch target {
    case "LockAlone": 801
    case "StreamImages": 501
    default: 1
    }
  }
}
