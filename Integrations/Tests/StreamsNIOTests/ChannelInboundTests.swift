import NIOCore
import NIOEmbedded
import Streams
import StreamsNIO
import StreamsTesting
import Testing

@Suite("Messages that arrive in a channel")
struct ChannelInboundTests {
  private struct Broken: Error {}

  private let reads = ReadCounter()
  private let inbound: ChannelInbound<Int>
  private let channel: EmbeddedChannel

  init() throws {
    inbound = ChannelInbound()
    channel = EmbeddedChannel(handlers: [reads, inbound])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  @Test("A channel is not read before a value is requested, although it reads by itself")
  func noDemand() throws {
    channel.read()
    let received = inbound.record(demand: .none)
    channel.read()
    #expect(reads.count == 0)

    received.request(.max(2))

    #expect(reads.count == 1)
  }

  @Test("A channel that is not active yet is read when it is")
  func beforeActive() throws {
    let (reads, inbound) = (ReadCounter(), ChannelInbound<Int>())
    let channel = EmbeddedChannel(handlers: [reads, inbound])
    let received = inbound.record()
    #expect(reads.count == 0)

    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()

    #expect(reads.count == 1)
    withExtendedLifetime(received) {}
  }

  @Test("A channel is read again after each read, until as many messages arrived as are requested")
  func reading() throws {
    let received = inbound.record(demand: .max(3))
    #expect(reads.count == 1)

    try arrive(1)
    #expect(reads.count == 2)
    try arrive(2, 3, 4, 5)
    #expect(reads.count == 2)
    #expect(received.values == [1, 2, 3])
    received.request(.max(2))
    #expect(reads.count == 2)
    received.request(.max(1))

    #expect(reads.count == 3)
    #expect(received.values == [1, 2, 3, 4, 5])
  }

  @Test("Demand that a subscriber returns for a message counts")
  func returnedDemand() throws {
    let recorder = Recorder<Int, any Error>(demand: .max(1)) { $0 < 3 ? .max(1) : .none }
    inbound.subscribe(recorder)

    try arrive(1, 2, 3, 4)

    #expect(recorder.values == [1, 2, 3])
  }

  @Test("A closed channel finishes the stream after the messages that arrived before")
  func closing() throws {
    let received = inbound.record(demand: .max(1))
    try arrive(1, 2)
    _ = try channel.finish()
    #expect(received.completions.isEmpty)

    received.request(.max(5))

    #expect(received.values == [1, 2])
    #expect(received.events.last.map { "\($0)" } == "finished")
  }

  @Test("An error in the pipeline fails the stream, and reaches the handlers behind it")
  func errors() throws {
    let received = inbound.record()

    channel.pipeline.fireErrorCaught(Broken())
    try arrive(1)

    guard case .failure(is Broken)? = received.completions.first else {
      Issue.record("No failure: \(received.events)")
      return
    }
    #expect(received.values == [])
    #expect(throws: Broken.self) { try channel.throwIfErrorCaught() }
  }

  @Test("A peer that closes its side finishes the stream, and the channel stays open")
  func halfClosure() {
    let received = inbound.record()

    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)

    #expect(received.completions.count == 1)
    #expect(channel.isActive)
  }

  @Test("Nothing is delivered or read after a cancellation, and the channel stays open")
  func cancellation() throws {
    let received = inbound.record()
    try arrive(1)
    let count = reads.count

    received.cancel()
    try arrive(2)

    #expect(received.values == [1])
    #expect(reads.count == count)
    #expect(channel.isActive)
  }

  @Test("A cancellation inside a message ends the delivery of the others")
  func cancellationInside() throws {
    let received = inbound.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    try arrive(1, 2, 3)

    #expect(received.values == [1])
  }

  @Test("A cancellation closes the channel if it is asked to")
  func closesOnCancel() throws {
    let inbound = ChannelInbound<Int>(closesOnCancel: true)
    let channel = EmbeddedChannel(handler: inbound)
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    let received = inbound.record()

    received.cancel()
    channel.embeddedEventLoop.run()

    #expect(!channel.isActive)
    #expect(received.completions.isEmpty)
  }

  @Test("A cancellation before the handler is in a channel closes that channel if it is asked to")
  func closesOnEarlyCancel() throws {
    for closes in [true, false] {
      let inbound = ChannelInbound<Int>(closesOnCancel: closes)
      inbound.record().cancel()
      let channel = EmbeddedChannel()
      try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()

      try channel.pipeline.syncOperations.addHandler(inbound)
      channel.embeddedEventLoop.run()

      #expect(channel.isActive != closes)
    }
  }

  @Test("A second subscriber is refused, and the first one is not disturbed")
  func secondSubscriber() throws {
    let first = inbound.record()
    let second = inbound.record()
    try arrive(1)

    #expect(first.values == [1])
    guard case .failure(ChannelInboundError.hasSubscriber)? = second.completions.first else {
      Issue.record("Not refused: \(second.events)")
      return
    }
  }

  @Test("Messages that arrive before the subscriber wait for it")
  func beforeTheSubscriber() throws {
    try arrive(1, 2)

    #expect(inbound.record().values == [1, 2])
  }

  @Test("The subscriber is released when the channel closes and when it cancels")
  func lifetimes() throws {
    weak var finished: Recorder<Int, any Error>?
    weak var cancelled: Recorder<Int, any Error>?
    let other = ChannelInbound<Int>()
    do {
      finished = inbound.record()
      _ = try channel.finish()
      let recorder = other.record()
      cancelled = recorder
      recorder.cancel()
      recorder.forget()
    }

    #expect(finished == nil)
    #expect(cancelled == nil)
  }

  /// One read that brings these messages.
  private func arrive(_ messages: Int...) throws {
    for message in messages { channel.pipeline.fireChannelRead(message) }
    channel.pipeline.fireChannelReadComplete()
  }
}
