import NIOCore
import NIOEmbedded
import Streams
import StreamsNIO
import StreamsTesting
import Testing

@Suite("A publisher that is written to a channel")
struct ChannelWritesTests {
  private struct Refused: Error {}

  private let channel: EmbeddedChannel

  init() throws {
    channel = EmbeddedChannel()
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  @Test("Values are written in order, and the result finishes when all are")
  func order() throws {
    let writing = (1...1000).publisher.written(to: channel).record()
    channel.embeddedEventLoop.run()

    #expect(try written() == Array(1...1000))
    #expect(writing.events.last.map { "\($0)" } == "finished")
  }

  @Test("Nothing is requested while the channel is not writable, and again when it is")
  func writability() throws {
    let demand = Journal()
    let source = PassthroughSubject<Int, Never>()
    let writing = source.handleEvents(receiveRequest: { demand.note("\($0)") }).written(to: channel).record()
    channel.embeddedEventLoop.run()
    #expect(demand.lines == ["max(64)"])

    channel.isWritable = false
    (1...64).forEach(source.send)
    channel.embeddedEventLoop.run()
    #expect(demand.lines == ["max(64)"])
    channel.isWritable = true
    channel.pipeline.fireChannelWritabilityChanged()

    #expect(demand.lines == ["max(64)", "max(64)"])
    #expect(try written() == Array(1...64))
    #expect(writing.completions.isEmpty)
  }

  @Test("A failure of the publisher arrives after the values before it are written")
  func failure() throws {
    let source = PassthroughSubject<Int, Refused>()
    let writing = source.written(to: channel).record()
    channel.embeddedEventLoop.run()

    source.send(1)
    source.send(completion: .failure(Refused()))

    #expect(try written() == [1])
    guard case .failure(is Refused)? = writing.completions.first else {
      Issue.record("No failure: \(writing.events)")
      return
    }
  }

  @Test("A channel that closes fails the result and cancels the publisher")
  func closing() throws {
    let cancels = Journal()
    let source = PassthroughSubject<Int, Never>()
    let writing = source.handleEvents(receiveCancel: { cancels.note("cancel") }).written(to: channel).record()
    channel.embeddedEventLoop.run()

    _ = try channel.finish()

    #expect(cancels.lines == ["cancel"])
    guard case .failure(ChannelError.ioOnClosedChannel)? = writing.completions.first else {
      Issue.record("No failure: \(writing.events)")
      return
    }
  }

  @Test("A channel that is closed already fails the result")
  func closedBefore() throws {
    _ = try channel.finish()

    let writing = [1].publisher.written(to: channel).record()
    channel.embeddedEventLoop.run()

    guard case .failure(is ChannelError)? = writing.completions.first else {
      Issue.record("No failure: \(writing.events)")
      return
    }
  }

  @Test("A channel that takes its handlers out without becoming inactive fails the result")
  func neverActive() throws {
    let cancels = Journal()
    let source = PassthroughSubject<Int, Never>()
    // As for a connection that is refused: from here on, the channel only removes its handlers.
    channel.close(promise: nil)
    let writing = source.handleEvents(receiveCancel: { cancels.note("cancel") }).written(to: channel).record()
    #expect(writing.completions.isEmpty)

    channel.embeddedEventLoop.run()

    #expect(cancels.lines == ["cancel"])
    guard case .failure(ChannelError.ioOnClosedChannel)? = writing.completions.first else {
      Issue.record("No failure: \(writing.events)")
      return
    }
  }

  @Test("A value that the pipeline refuses fails the result")
  func refused() throws {
    try channel.pipeline.syncOperations.addHandler(Refusing(), position: .first)
    let source = PassthroughSubject<Int, Never>()
    let writing = source.written(to: channel).record()
    channel.embeddedEventLoop.run()

    source.send(1)
    source.send(13)
    source.send(2)

    #expect(try written() == [1])
    guard case .failure(is Refusing.Unlucky)? = writing.completions.first else {
      Issue.record("No failure: \(writing.events)")
      return
    }
  }

  @Test("A subscription that is released when the publisher ends may cancel the result")
  func release() throws {
    let writing = Recorder<Never, any Error>()

    Brief { writing.cancel() }.written(to: channel).subscribe(writing)
    channel.embeddedEventLoop.run()

    #expect(writing.completions.isEmpty)
    #expect(!"\(channel.pipeline)".contains("WritabilityHandler"))
  }

  @Test("A cancellation cancels the publisher, and takes the handler out of the pipeline")
  func cancellation() throws {
    let cancels = Journal()
    let source = PassthroughSubject<Int, Never>()
    let writing = source.handleEvents(receiveCancel: { cancels.note("cancel") }).written(to: channel).record()
    channel.embeddedEventLoop.run()
    let before = "\(channel.pipeline)".contains("WritabilityHandler")

    writing.cancel()
    source.send(1)
    channel.embeddedEventLoop.run()

    #expect(before)
    #expect(!"\(channel.pipeline)".contains("WritabilityHandler"))
    #expect(cancels.lines == ["cancel"])
    #expect(try written() == [])
  }

  private func written() throws -> [Int] {
    var values: [Int] = []
    while let value = try channel.readOutbound(as: Int.self) { values.append(value) }
    return values
  }
}

/// Finishes at once. Only the subscriber keeps its subscription.
private struct Brief: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private final class Kept: Subscription {
    let onRelease: () -> Void

    init(_ onRelease: @escaping () -> Void) { self.onRelease = onRelease }

    deinit { onRelease() }

    func request(_: Subscribers.Demand) {}
    func cancel() {}
  }

  let onRelease: () -> Void

  init(onRelease: @escaping () -> Void) { self.onRelease = onRelease }

  func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Int, Downstream.Failure == Never {
    subscriber.receive(subscription: Kept(onRelease))
    subscriber.receive(completion: .finished)
  }
}

/// An encoder that cannot encode one number.
private final class Refusing: ChannelOutboundHandler {
  struct Unlucky: Error {}

  typealias OutboundIn = Int

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if unwrapOutboundIn(data) == 13 {
      promise?.fail(Unlucky())
    } else {
      context.write(data, promise: promise)
    }
  }
}
