import Foundation
import Testing

@Suite("Beyond Combine: registries")
struct RegistryTests {
  /// Each is a type of its own, and no operator makes it.
  static let types = [
    "ReplaySubject", "PassthroughRelay", "CurrentValueRelay", "ReplayRelay", "MutableProperty", "Create",
    "Using",
  ]

  /// Why an operator that remembers something is not explored, or has no floor. Tasks are explored with `--async`.
  static let sameAsAnother: Set = [
    "exhaustMap", "concatMapEager", "switchMap", "flatMapLatest", "takeLast", "take", "onTerminate",
    "mergeDelayingErrors", "flatMapBatches", "startWith", "merge", "zip", "combineLatest",
  ]
  /// Made of operators that are in the registries themselves.
  static let composed: Set = [
    "values", "failures", "mapToResult", "ignoreFailure", "catchAndReturn", "onErrorResume",
    "removeDuplicates",
  ]
  static let withTasks: Set = [
    "asyncMap", "tryAsyncMap", "asyncCompactMap", "asyncFlatMap", "asyncSink",
  ]
  static let oneValue: Set = ["timerPublisher"]

  @Test("Each operator beyond Combine is in the registry of laws")
  func laws() {
    let text = Self.registry("Tests/StreamsTests/Laws/Registry")

    let missing = PublisherMaker.all.filter { !$0.isCalled(in: text) }
    let typesMissing = Self.types.filter { !text.contains("\($0)<") && !text.contains("\($0)(") }

    print(
      "operators beyond Combine: \(PublisherMaker.all.count - missing.count) of \(PublisherMaker.all.count)"
        + " are held to the laws")
    #expect(PublisherMaker.all.count > 80)
    #expect(missing.map(\.description) == [])
    #expect(typesMissing.filter { $0 != "Using" || !text.contains("MorePublishers.Using {") } == [])
  }

  @Test("Each stateful operator beyond Combine is in the explorer's registry")
  func explored() {
    let text = Self.registry("Tests/Exploring/Sources/Explore/Registry")
    let exempt = Self.sameAsAnother.union(Self.composed).union(Self.withTasks)

    let stateful = PublisherMaker.stateful.filter { !exempt.contains($0.name) && $0.labels != ["with"] }
    let missing = stateful.filter { !$0.isCalled(in: text) }

    #expect(stateful.count > 40)
    #expect(missing.map(\.description) == [])
    #expect(Self.types.filter { !text.contains($0) } == [])
  }

  @Test("Each stateful operator beyond Combine has a speed floor")
  func floors() {
    let text = Self.registry("Benchmarks/Sources/SpeedFloors")
    let exempt = Self.sameAsAnother.union(Self.composed).union(Self.withTasks).union(Self.oneValue)

    let missing = PublisherMaker.stateful.filter {
      !exempt.contains($0.name) && $0.labels != ["with"] && !$0.isCalled(in: text)
    }

    #expect(missing.map(\.description) == [])
    #expect(Self.types.filter { !text.contains($0) } == [])
  }

  private static func registry(_ folder: String) -> String {
    Repository.swift.filter { $0.path.isIn(folder) }.flatMap(\.lines).joined(separator: "\n")
  }
}
