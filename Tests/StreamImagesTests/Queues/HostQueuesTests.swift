import Foundation
import LoopbackServer
import StreamImages
import Testing

@Suite("`HostQueues`", .timeLimit(.minutes(20)))
struct HostQueuesTests {
  @Test("A slow host does not take the loading or encoding slots of other hosts", arguments: [false, true])
  func slowHost(_ isEncoded: Bool) async throws {
    let (slow, good) = (try LoopbackServer(), try LoopbackServer())
    defer {
      slow.stop()
      good.stop()
    }
    let gate = try Gate()
    slow.serve("*", .bytes(try Pictures.png(8, 4)).with { $0.gate = gate })
    good.serve("*", .bytes(try Pictures.png(8, 4)))
    let pipeline = ImagePipeline {
      ($0.dataCache, $0.imageCache) = (nil, nil)
      ($0.loadingWidth, $0.loadingWidthPerHost) = (4, 2)
    }
    func load(_ server: LoopbackServer, _ number: Int) async throws {
      let request = ImageRequest(url: server.url("/\(number)"), processors: [.resize(width: 4)])
      if isEncoded {
        _ = try await pipeline.encodedImage(for: request)
      } else {
        _ = try await pipeline.image(for: request)
      }
    }

    let waiting = (0..<8).map { number in Task { try await load(slow, number) } }
    await until { pipeline.counts(of: .loading) == (waiting: 0, running: 2) }
    for number in 0..<3 { try await load(good, number) }

    #expect(pipeline.counts(of: .loading) == (waiting: 0, running: 2))
    gate.open()
    for task in waiting { try await task.value }
    await until { pipeline.holdsNothing }
  }

  @Test("The queue of a host is removed after its work ends or is cancelled")
  func cancelled() async throws {
    let (queues, entered, end) = (HostQueues(width: 1), Latch(), Latch())
    func hold() async throws {
      let place = try await value(of: queues.place("a", DynamicPriority(.normal)))
      entered.open()
      await end.wait()
      place?.leave()
    }
    let first = Task { try await hold() }
    await entered.wait()
    let second = Task { try await hold() }
    second.cancel()

    guard case .failure(let error) = await second.result else { return unexpected("ran") }
    #expect((error as? ImagePipeline.Error)?.isCancellation == true)
    #expect(queues.count == 1)
    end.open()
    try await first.value
    #expect(queues.count == 0)
  }

  @Test("A place of a host is free once it is left, and its queue is kept while it is used")
  func places() {
    let (queues, priority) = (HostQueues(width: 1), DynamicPriority(.normal))
    let places = Shared<[HostQueues.Place?]>([])
    func begin(_ host: String?) -> StepRun {
      let run = StepRun()
      queues.place(host, priority).begin(run) { outcome in
        if case .success(let place) = outcome { places.change { $0.append(place) } }
      }
      return run
    }

    let runs = ["a", "b", "a", "a", nil].map(begin)
    #expect(places.value.count == 3 && places.value[2] == nil && queues.count == 2)
    runs[2].cancel()
    places.value[0]?.leave()
    #expect(places.value.count == 4 && queues.count == 2)
    places.value[0]?.leave()
    places.value[3]?.leave()
    for run in runs { run.cancel() }
    // Released outside the lock.
    var gone: [HostQueues.Place?] = []
    places.change { swap(&$0, &gone) }
    gone = []
    #expect(gone.isEmpty)
    #expect(queues.count == 0)
  }
}
