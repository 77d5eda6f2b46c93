internal import NIOCore
internal import NIOHTTP1

/// Closes a connection after the answer to a request of HTTP/1.0, whose client waits for that.
final class OldRequests: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private var isLast = false

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), (head.version.major, head.version.minor) < (1, 1)
    else {
      return context.fireChannelRead(data)
    }
    isLast = true
    // Hummingbird, which does not see the version, ends the connection by this field.
    head.headers.replaceOrAdd(name: "connection", value: "close")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard isLast, case .head(var head) = unwrapOutboundIn(data) else {
      return context.write(data, promise: promise)
    }
    head.headers.replaceOrAdd(name: "connection", value: "close")
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
