/// Which files of `Sources/Streams` have only what Combine has. Everything else goes beyond it, and yields to a program's own
/// declarations.
enum CombineFiles {
  static func contains(_ file: TextFile) -> Bool {
    let parts = file.path.split(separator: "/")
    guard file.path.isIn("Sources/Streams"), parts.count > 3, let name = parts.last?.dropLast(".swift".count)
    else {
      return false
    }
    return folders.contains(String(parts[2])) || names.contains(String(name))
  }

  private static let folders: Set = ["Contract", "Erasure", "Isolation", "Observing"]

  /// In folders that have both.
  private static let names: Set = [
    "AllSatisfy", "AnyScheduler", "Append", "AssertNoFailure", "Assign", "AsyncBuffering", "AsyncInlet",
    "AsyncMailbox", "AsyncSequence+publisher", "AsyncWalk", "Autoconnect", "Breakpoint", "Buffer",
    "Buffering", "Catch", "CheckedOperators", "Collect", "CollectByCount", "CollectByTime", "CombineLatest",
    "CompactMap", "Comparison", "Contains", "Count", "CurrentValueSubject", "Debounce", "Decode", "Deferred",
    "Delay", "Drop", "DropUntilOutput", "DropWhile", "Empty", "Encode", "Fail", "Feeds", "Filter", "First",
    "FlatMap", "Future", "Future+async", "HandleEvents", "IgnoreOutput", "ImmediateScheduler",
    "ImmediateSchedulerOf", "Just", "Just+Operators", "Just+Selection", "KeyPathPass", "Last",
    "MainActorScheduler", "MainActorScheduler+Time", "Map", "MapError", "MapKeyPath", "MeasureInterval",
    "Merge", "MergeMany", "MergePublishers", "MergePublishers+More", "Multicast", "Optional+Operators",
    "Optional+Selection", "OptionalPublisher", "Output", "PassthroughSubject", "Places", "PrefixUntilOutput",
    "PrefixWhile", "Prepend", "Print", "Publisher+sinkOn", "Publisher+values", "Publisher+valuesThrowing",
    "ReceiveOn", "ReceiveOnSubscription", "Record", "Reduce", "RemoveDuplicates", "ReplaceEmpty",
    "ReplaceError", "ReplaceNil", "Result+Operators", "Result+Selection", "ResultPublisher", "Retry",
    "Scan", "Sequence", "Sequence+Operators", "Sequence+Selection", "SetFailureType", "Share",
    "Sink", "SkipSubscription", "SubjectSubscriber", "SubscribeOn", "SubscribeOnSubscription",
    "SwitchToLatest", "Throttle", "TimeGrouping", "TimeGroups", "Timeout", "Zip",
  ]
}
