package import Foundation

// In place of libcurl, and of the part of the loader that calls it: transfers follow a script.

func transport_session_free(_: OpaquePointer) {}
func transport_session_wake(_ session: OpaquePointer) { Transport.at(session).wake() }

func transport_session_wait(_ session: OpaquePointer, _: Int32) -> Int32 {
  Transport.at(session).wait()
  return 1
}

/// Nothing floods, so no turn needs to be ended.
func transport_session_end_floods(_: OpaquePointer, _: Bool) -> Int32 { 0 }

final class TurnWatch: Sendable {
  typealias Look = @Sendable (_ isFirst: Bool) -> Void

  func turn<Result>(
    _: @escaping Look, _ body: () throws(DataLoadingError) -> Result
  ) throws(DataLoadingError) -> Result {
    try body()
  }
}

/// The thread is a servant. In a scenario without servants, nobody runs it.
func transport_thread_start(
  _ body: @escaping @convention(c) (UnsafeMutableRawPointer?) -> Void, _ context: UnsafeMutableRawPointer
) -> OpaquePointer? {
  let thread = Transport.make()
  guard TaskFibers.shared.hasServants else {
    Unmanaged<CurlLoop>.fromOpaque(context).release()
    return thread
  }
  let address = UInt(bitPattern: context)
  TaskFibers.shared.enqueue(on: TaskFibers.shared.assign()) {
    body(UnsafeMutableRawPointer(bitPattern: address))
    Transport.at(thread).end()
  }
  return thread
}

func transport_thread_join(_ thread: OpaquePointer) { Transport.at(thread).join() }

package enum CurlLoader {
  package struct Configuration: Sendable {
    let idleConnectionLifetime = Duration.seconds(1_000_000)
    package init() {}
  }
}

/// A load, and what the server will send.
package struct RedirectChain: Sendable {
  package let chunks: [[UInt8]]
  package let failure: DataLoadingError?

  package init(_ chunks: [[UInt8]], failure: DataLoadingError? = nil) {
    (self.chunks, self.failure) = (chunks, failure)
  }
}

/// All loads in progress, as the loop uses it. In each turn every load has its head or its next chunk.
final class CurlSession {
  private final class Exchange {
    let pipe: BodyPipe
    let chain: RedirectChain
    var sent = -1
    var isPaused = false

    init(_ chain: RedirectChain, _ pipe: BodyPipe) { (self.chain, self.pipe) = (chain, pipe) }
  }

  private var exchanges: [Exchange] = []

  init(_: CurlLoader.Configuration) {}

  static func makeHandle(_: CurlLoader.Configuration) -> OpaquePointer? { Transport.make() }

  var isIdle: Bool { exchanges.isEmpty }
  var pollInterval: Duration? { nil }

  func add(_ chain: RedirectChain, _ pipe: BodyPipe) { exchanges.append(Exchange(chain, pipe)) }

  func resume(_ pipe: BodyPipe) {
    for exchange in exchanges where exchange.pipe === pipe { exchange.isPaused = false }
  }

  /// All loads run at once here, so there is no queue in which one could move.
  func prioritize(_: BodyPipe, _: ImageRequest.Priority) {}

  func remove(_ pipe: BodyPipe, finish failure: DataLoadingError?) {
    let count = exchanges.count
    exchanges.removeAll { $0.pipe === pipe }
    if exchanges.count < count { pipe.finish(failure) }
  }

  func removeAll(_ failure: DataLoadingError) {
    for exchange in exchanges { remove(exchange.pipe, finish: failure) }
  }

  func turn(_ handle: OpaquePointer) throws(DataLoadingError) -> MonotonicInstant? {
    for exchange in exchanges where !exchange.isPaused { advance(exchange) }
    Transport.at(handle).hasMore = exchanges.contains { !$0.isPaused }
    return nil
  }

  private func advance(_ exchange: Exchange) {
    defer { exchange.sent += 1 }
    if exchange.sent == exchange.chain.chunks.count {
      return remove(exchange.pipe, finish: exchange.chain.failure)
    }
    if exchange.sent < 0 {
      exchange.pipe.deliver(LoadedHead())
    } else {
      let room = exchange.chain.chunks[exchange.sent].withUnsafeBytes { exchange.pipe.append($0) }
      // The consumer has cancelled; its command to stop follows.
      if room == nil { return }
    }
    exchange.isPaused = exchange.pipe.flush() == .none
  }
}
