import NIOConcurrencyHelpers
import NIOCore

/// Counts the reads that reach the head of a pipeline.
final class ReadCounter: ChannelOutboundHandler, Sendable {
  typealias OutboundIn = Any

  private let reads = NIOLockedValueBox(0)

  var count: Int { reads.withLockedValue { $0 } }

  func read(context: ChannelHandlerContext) {
    reads.withLockedValue { $0 += 1 }
    context.read()
  }
}
