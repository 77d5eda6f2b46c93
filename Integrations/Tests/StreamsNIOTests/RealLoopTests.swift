import NIOCore
import NIOEmbedded
import NIOPosix
import Streams
import StreamsNIO
import StreamsTesting
import Testing

@Suite("An event loop with a thread of its own as a scheduler")
struct RealLoopTests {
  @Test("`delay` runs in the virtual time of an asynchronous testing event loop")
  func asynchronousLoop() async {
    let loop = NIOAsyncTestingEventLoop()
    let received = Just(1).delay(for: .seconds(5), scheduler: loop.scheduler).record()

    await loop.advanceTime(by: .seconds(4))
    #expect(received.values == [])
    await loop.advanceTime(by: .seconds(1))
    let values = received.values
    await loop.shutdownGracefully()

    #expect(values == [1])
  }

  @Test("Values are delivered on the thread of a real event loop, in order, and never before their date")
  func realLoop() async throws {
    let group = MultiThreadedEventLoopGroup.singleton
    let loop = group.next()
    let start = NIODeadline.now()

    let received = try await (1...1000).publisher.receive(on: loop.scheduler)
      .map { value in loop.inEventLoop ? value : -1 }
      .delay(for: .milliseconds(20), scheduler: loop.scheduler)
      .collect().firstValue(on: loop).get()

    #expect(received == Array(1...1000))
    #expect(NIODeadline.now() - start >= .milliseconds(20))
  }

  @Test("An event loop that is shut down releases what it was to run")
  func shutdown() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let scheduler = group.next().scheduler
    weak var object: Held?
    do {
      let held = Held()
      object = held
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(3600))) { held.touch() }
    }
    #expect(object != nil)

    try await group.shutdownGracefully()

    #expect(object == nil)
  }
}
