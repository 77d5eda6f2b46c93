import NIOConcurrencyHelpers
import NIOCore
import NIOPosix
import Streams
import StreamsNIO
import StreamsTesting
import Testing

@Suite("Publishers at both ends of a socket")
struct LoopbackTests {
  private static let count = 1_000_000

  @Test("A million messages pass a socket in order, and a reader that waits stops the writer")
  func million() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let inbound = ChannelInbound<Int>()
    let accepted = group.next().makePromise(of: Void.self)
    let server = try await ServerBootstrap(group: group)
      .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 4096))
      .childChannelOption(.socketOption(.so_rcvbuf), value: 1 << 16)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(NumberDecoder()), inbound)
          accepted.succeed()
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    let client = try await ClientBootstrap(group: group)
      .channelOption(.socketOption(.so_sndbuf), value: 1 << 16)
      .channelOption(.writeBufferWaterMark, value: .init(low: 4096, high: 16384))
      .connect(to: server.localAddress!).get()
    try await accepted.futureResult.get()
    let stall = StallHandler(on: client.eventLoop)
    try await client.pipeline.addHandler(stall).get()

    let sent = NIOLockedValueBox(0)
    let writing = (0..<Self.count).publisher
      .handleEvents(receiveOutput: { _ in sent.withLockedValue { $0 += 1 } })
      .map { ByteBuffer(integer: $0) }
      .written(to: client)
      .sink { _ in
        client.close(promise: nil)
      } receiveValue: { _ in
      }
    let reader = PagedReader(pageSize: 100, sent: sent, on: group.next())
    inbound.subscribe(reader)
    try await stall.stalled.get()
    let sentBeforeReading = sent.withLockedValue { $0 }
    reader.requestPage()
    let end = try await reader.account.get()
    try await server.close()
    withExtendedLifetime(writing) {}

    print("sent before the writer stopped: \(sentBeforeReading), most on their way: \(end.mostOnTheirWay)")
    #expect(end.isInOrder)
    #expect(end.received == Self.count)
    // They are in the buffers of both sockets, which Linux makes twice as large as asked for, and in that of the channel.
    #expect(sentBeforeReading < Self.count / 10)
    #expect(end.mostOnTheirWay < Self.count / 10)
  }

  @Test("Four clients receive back all that they send, at the same time")
  func echo() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let count = 5000
    let server = try await ServerBootstrap(group: group)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let inbound = ChannelInbound<Int>()
          try channel.pipeline.syncOperations.addHandlers(ByteToMessageHandler(NumberDecoder()), inbound)
          let writing = inbound.map { ByteBuffer(integer: -$0) }.written(to: channel)
            .sink { _ in
              channel.close(promise: nil)
            } receiveValue: { _ in
            }
          channel.closeFuture.whenComplete { _ in writing.cancel() }
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()

    try await withThrowingTaskGroup(of: [Int].self) { clients in
      for _ in 0..<4 {
        clients.addTask {
          let inbound = ChannelInbound<Int>()
          let client = try await ClientBootstrap(group: group)
            .channelInitializer { channel in
              channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers(
                  ByteToMessageHandler(NumberDecoder()), inbound)
              }
            }
            .connect(to: server.localAddress!).get()
          let writing = (1...count).publisher.map { ByteBuffer(integer: $0) }.written(to: client)
            .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
          let received = try await inbound.prefix(count).collect().firstValue(on: client.eventLoop).get()
          try await client.close()
          withExtendedLifetime(writing) {}
          return received
        }
      }
      for try await received in clients { #expect(received == (1...count).map(-)) }
    }
    try await server.close()
  }
}

/// Waits until the channel is not writable.
private final class StallHandler: ChannelInboundHandler, Sendable {
  typealias InboundIn = Any

  let stalled: EventLoopFuture<Void>
  private let promise: EventLoopPromise<Void>

  init(on eventLoop: any EventLoop) {
    promise = eventLoop.makePromise()
    stalled = promise.futureResult
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    if !context.channel.isWritable { promise.succeed() }
    context.fireChannelWritabilityChanged()
  }
}

/// Eight bytes are a number.
private struct NumberDecoder: ByteToMessageDecoder {
  typealias InboundOut = Int

  mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) -> DecodingState {
    guard let number = buffer.readInteger(as: Int.self) else { return .needMoreData }
    context.fireChannelRead(wrapInboundOut(number))
    return .continue
  }
}
