import NIOCore
import Streams
import StreamsNIO

// The examples of the documentation comments: a house test looks for them here. They are compiled, and not run.

func settling(_ words: AnyPublisher<String, Never>, _ eventLoop: any EventLoop) {
  let settled = words.debounce(for: .milliseconds(300), scheduler: eventLoop.scheduler)
  _ = settled
}

func reading(from channel: any Channel) throws {
  let lines = ChannelInbound<String>()
  try channel.pipeline.syncOperations.addHandlers(LineDecoder(), lines)
  let printing = lines.sink(receiveCompletion: { _ in }, receiveValue: { print($0) })
  _ = printing
}

func writing(_ replies: AnyPublisher<ByteBuffer, Never>, to channel: any Channel) {
  let writing = replies.written(to: channel).sink { completion in
    channel.close(mode: .output, promise: nil)
  } receiveValue: { _ in
  }
  _ = writing
}

private final class LineDecoder: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
}
