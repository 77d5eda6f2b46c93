internal import NIOCore
internal import NIOHTTPTypes
internal import NIOHTTPTypesHTTP1
internal import Synchronization

/// The open connections. If there are too many, the one that has been idle longest is closed, so that clients that only
/// connect keep nobody from an answer; if none is idle, the new one.
final class Connections: Sendable {
  private struct State {
    var channels: [ObjectIdentifier: any Channel] = [:]
    /// The moment from which a connection has been idle; absent while a request is answered.
    var idle: [ObjectIdentifier: UInt64] = [:]
    var lastMoment: UInt64 = 0

    mutating func setIdle(_ id: ObjectIdentifier) {
      lastMoment += 1
      idle[id] = lastMoment
    }
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: The largest number of open connections; at least 1.
  init(limit: Int) { self.limit = max(1, limit) }

  /// A handler for one more connection.
  func handler() -> any RemovableChannelHandler { ConnectionHandler(self) }

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
    state.withLock { $0.idle[ObjectIdentifier(channel)] = nil }
  }

  fileprivate func end(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    state.withLock { state in if state.channels[id] != nil { state.setIdle(id) } }
  }

  fileprivate func close(_ channel: any Channel) {
    let gone = state.withLock { state in
      state.idle[ObjectIdentifier(channel)] = nil
      return state.channels.removeValue(forKey: ObjectIdentifier(channel))
    }
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

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if case .head = unwrapInboundIn(data) { connections.begin(context.channel) }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { connections.end(context.channel) }
    context.write(data, promise: promise)
  }
}
