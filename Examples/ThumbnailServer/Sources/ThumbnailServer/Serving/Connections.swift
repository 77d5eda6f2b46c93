internal import NIOCore
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import Synchronization

/// The open connections. If there are too many, the one that has been idle longest is closed, so that clients that only
/// connect keep nobody from an answer; if none is idle, the new one. A request whose client disconnects is cancelled.
package final class Connections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The moment from which a connection has been idle; absent while a request is answered.
    var idle: [ObjectIdentifier: UInt64] = [:]
    /// How many requests are not answered yet: a client may send several at once.
    var pending: [ObjectIdentifier: Int] = [:]
    var lastMoment: UInt64 = 0
    /// Finished when the client of a request disconnects.
    var requests: [ObjectIdentifier: AsyncStream<Never>.Continuation] = [:]

    mutating func setIdle(_ id: ObjectIdentifier) {
      lastMoment += 1
      idle[id] = lastMoment
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The largest number of open connections; at least 1.
  package init(limit: Int) { self.limit = max(1, limit) }

  /// A handler for one more connection.
  func handler() -> any RemovableChannelHandler { ConnectionHandler(self) }

  /// Returns once the client that has sent a request over `channel` disconnects, or the task is cancelled.
  func waitForHangUp(of channel: any Channel) async {
    let id = ObjectIdentifier(channel)
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    let isOpen = state.withLock { state in
      guard state.channels[id] != nil else { return false }
      state.requests[id] = continuation
      return true
    }
    guard isOpen else { return }
    for await _ in stream {}
    state.withLock { $0.requests[id] = nil }
  }

  fileprivate func open(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let surplus = state.withLock { state -> (any Channel)? in
      defer {
        state.channels[id] = channel
        state.setIdle(id)
      }
      guard state.channels.count >= limit else { return nil }
      guard let oldest = state.idle.min(by: { $0.value < $1.value })?.key else { return channel }
      state.idle[oldest] = nil
      return state.channels.removeValue(forKey: oldest)
    }
    surplus?.close(promise: nil)
  }

  fileprivate func begin(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    state.withLock { state in
      state.idle[id] = nil
      state.pending[id, default: 0] += 1
    }
  }

  fileprivate func end(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    state.withLock { state in
      let count = state.pending[id, default: 1] - 1
      state.pending[id] = count > 0 ? count : nil
      if count <= 0, state.channels[id] != nil { state.setIdle(id) }
    }
  }

  fileprivate func isBusy(_ channel: any Channel) -> Bool {
    state.withLock { $0.idle[ObjectIdentifier(channel)] == nil }
  }

  fileprivate func close(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let gone = state.withLock { state in
      (state.idle[id], state.pending[id]) = (nil, nil)
      return (
        channel: state.channels.removeValue(forKey: id), request: state.requests.removeValue(forKey: id)
      )
    }
    gone.request?.finish()
    withExtendedLifetime(gone) {}
  }
}

/// Reports the requests of one connection. A head that is not complete does not count as one.
private final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let connections: Connections

  init(_ connections: Connections) { self.connections = connections }

  func handlerAdded(context: ChannelHandlerContext) {
    connections.open(context.channel)
    // Versions are only visible before requests are converted.
    let pipeline = context.pipeline.syncOperations
    guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
    do { try pipeline.addHandler(OldRequests(), position: .before(codec)) } catch {
      context.fireErrorCaught(error)
    }
  }

  func handlerRemoved(context: ChannelHandlerContext) { connections.close(context.channel) }

  /// Hummingbird keeps a connection whose client sends nothing more until it has answered. Such a client does not wait.
  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    if case ChannelEvent.inputClosed? = event as? ChannelEvent, connections.isBusy(context.channel) {
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    connections.close(context.channel)
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) { connections.begin(context.channel) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { connections.end(context.channel) }
    context.write(data, promise: promise)
  }
}
