import Testing

/// A file that imports Streams in place of Combine, and other packages beside it, finds each name once.
@Suite("Combine names")
struct CombineNamesTests {
  /// What Combine's interface has at the top level.
  static let combine: Set = [
    "AnyCancellable", "AnyPublisher", "AnySubscriber", "AsyncPublisher", "AsyncThrowingPublisher",
    "Cancellable",
    "CombineIdentifier", "ConnectablePublisher", "CurrentValueSubject", "CustomCombineIdentifierConvertible",
    "Deferred", "Empty", "Fail", "Future", "ImmediateScheduler", "Just", "ObservableObject",
    "ObservableObjectPublisher", "PassthroughSubject", "Published", "Publisher", "Publishers", "Record",
    "Scheduler", "SchedulerTimeIntervalConvertible", "Subject", "Subscriber", "Subscribers", "Subscription",
    "Subscriptions", "TopLevelDecoder", "TopLevelEncoder", "_Introspection",
  ]

  /// What its parts of Foundation have there: they extend types only.
  static let foundation: Set<String> = []

  @Test(
    "A module declares exactly Combine's names at the top level",
    arguments: [("Streams", combine), ("StreamsFoundation", foundation)])
  func topLevel(module: String, names: Set<String>) {
    let files = Repository.sources.filter { $0.path.isIn("Sources/\(module)") }

    #expect(!files.isEmpty)
    #expect(Set(files.flatMap { $0.lines.compactMap(publicName) }) == names)
  }

  @Test(
    "A public declaration is found in its line",
    arguments: [
      ("public struct Just<Output>: Publisher {", "Just"),
      ("@frozen public final class Future<Output>", "Future"), ("open class Base {", "Base"),
      ("@propertyWrapper public struct Published<Value> {", "Published"), ("public func merge() {", "merge"),
      ("public typealias AnySchedulerOf<Context> =", "AnySchedulerOf"), ("public let limit = 1", "limit"),
      ("@_exported public import Streams", nil), ("package struct Box<Value> {", nil),
      ("  public struct Inner {", nil),
      ("public extension Publisher {", nil),
    ])
  func lines(line: String, name: String?) {
    #expect(publicName(of: line) == name)
  }

  /// One protocol is indented, since a trait decides what it inherits.
  private func publicName(of line: String) -> String? {
    guard line.contains("public ") || line.contains("open ") else { return nil }
    let isConditional = line.hasPrefix("  public protocol CustomCombineIdentifierConvertible")
    return line.dropFirst(isConditional ? 2 : 0).prefixMatch(
      of:
        /(?:@\S+ )*(?:public|open) (?:\w+ )*?(?:actor|class|enum|func|let|macro|protocol|struct|typealias|var) (\w+)/
    ).map { String($0.1) }
  }
}
