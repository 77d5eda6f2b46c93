import StreamImages

/// A value that the threads of a test change together.
final class Shared<Value: Sendable>: Sendable {
  private let guarded: Guarded<Value>

  init(_ value: Value) { guarded = Guarded(value) }

  var value: Value { guarded.withLock { $0 } }

  func change(_ body: (inout Value) -> Void) { guarded.withLock { body(&$0) } }
}
