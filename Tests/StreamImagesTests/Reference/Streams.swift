import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsFoundationExtras

/// The code in the comments of the reference: it compiles, line by line. Nothing is run.
private struct StreamsInTheReference {
  func asyncCallCode() async throws {
    let url = URL(string: "https://photos.example/1")
    @Sendable func download(_: URL?) async throws -> Data { Data() }
    let page = MorePublishers.AsyncCall { try await download(url) }
    _ = page
  }

  func createCode() async throws {
    let numbers = AnyPublisher<Int, Never>.create { subscriber in
      subscriber.send(1)
      subscriber.send(completion: .finished)
      return AnyCancellable {}
    }
    _ = numbers
  }

  func generateCode() async throws {
    _ =
      Publishers.unfold(1) { n in
        defer { n *= 2 }
        return n < 100 ? n : nil
      }
  }

  func outcomesCode() async throws {
    struct TimeoutError: Error {}
    let request = Fail<Int, any Error>(error: TimeoutError())
    let cached = Just(1).setFailureType(to: (any Error).self)
    _ =
      request.onErrorResume(TimeoutError.self) { _ in cached }
  }

  func retryPolicyCode() async throws {
    let policy = RetryPolicy.backoff(retries: 5, from: .milliseconds(100), upTo: .seconds(10))
    _ = policy
  }

  func cancelBagCode() async throws {
    let numbers = (1...3).publisher
    let bag = CancelBag()
    numbers.sink { print($0) }.store(in: bag)
    bag.cancelAll()
  }

  func lifetimeCode() async throws {
    final class Player {
      private let token = Lifetime.Token()
      var lifetime: Lifetime { token.lifetime }
    }
  }

  func usingCode() async throws {
    struct File {
      let lines = Just("").setFailureType(to: (any Error).self)
      init(_: String) throws {}
      func close() {}
    }
    let path = ""
    _ =
      MorePublishers.Using {
        try File(path)
      } publisher: {
        $0.lines
      } release: {
        $0.close()
      }
  }

  func mutablePropertyCode() async throws {
    let volume = MutableProperty(5)
    let sink = volume.publisher.sink { print($0) }  // 5
    volume.value = 6  // 6
    sink.cancel()
  }

  func clockSchedulerCode() async throws {
    let words = Just("")
    let scheduler = ClockScheduler(clock: ContinuousClock())
    let settled = words.debounce(for: .milliseconds(300), scheduler: scheduler)
    _ = settled
  }

  func asyncSequencepublisherCode() async throws {
    let (ticks, clock) = AsyncStream.makeStream(of: Int.self)
    let sink = ticks.publisher.sink { print($0) }
    clock.yield(1)
    sink.cancel()
  }

  func mainActorSchedulerCode() async throws {
    @MainActor final class Album { func title(of number: Int) -> String { "\(number)" } }
    let album = await MainActor.run { Album() }
    let numbers = (1...3).publisher
    _ =
      numbers
      .receive(on: MainActor.self)
      .map { number in MainActor.assumeIsolated { album.title(of: number) } }
  }

  func publisherbufferedValuesCode() async throws {
    let subject = PassthroughSubject<Int, Never>()
    for await value in subject.values(buffering: .unbounded) { print(value) }
  }

  func publishersinkOnCode() async throws {
    actor Ledger { func note(_: Int) {} }
    let ledger = Ledger()
    let readings = (1...3).publisher
    _ =
      readings.sink(on: ledger) { ledger, reading in ledger.note(reading) }
  }

  func introspectionCode() async throws {
    final class Tracer: _Introspection {
      func willReceive<S: Subscriber>(subscriber: S, input: S.Input) { print("\(subscriber) gets \(input)") }
    }

    let tracer = Tracer()
    tracer.enable()
  }

  func checkpointCode() async throws {
    let url = URL(string: "https://photos.example/1")
    func download(_: URL?) -> Fail<Int, URLError> { Fail(error: URLError(.timedOut)) }
    _ =
      download(url).checkpoint("download").retry(2).checkpoint("retry").assertNoFailure()
  }

  func subscriptionCounterCode() async throws {
    let subject = PassthroughSubject<Int, Never>()
    let counter = SubscriptionCounter()
    counter.enable()
    let sink = subject.sink { _ in }
    print(counter.open)  // 1
    sink.cancel()
  }

  func timelineCode() async throws {
    let timeline = Timeline()
    timeline.enable()
    let sink = (1...3).publisher.filter { $0 > 1 }.sink { _ in }
    timeline.disable()
    print(timeline.text)
    sink.cancel()
  }

  func anySendablePublisherCode() async throws {
    let subject = PassthroughSubject<Int, Never>()
    struct Store: Sendable { let changes: AnySendablePublisher<Int, Never> }
    let store = Store(changes: subject.eraseToAnySendablePublisher())
    _ = store
  }

  func observableObjectCode() async throws {
    final class Album: ObservableObject { @Published var photos = 0 }
    let album = Album()
    let sink = album.objectWillChange.sink { print("will change") }
    album.photos = 1  // will change
    sink.cancel()
  }

  func publishersobservingCode() async throws {
    let frame = CGRect.zero
    let areas = Publishers.observing { frame.width * frame.height }
    _ = areas
  }

  func publishersobserving2Code() async throws {
    let frame = CGRect.zero
    let changes = Publishers.observing(willSet: { (frame.width, frame.height) })
    _ = changes
  }

  func anySchedulerCode() async throws {
    final class Search {
      let scheduler: AnySchedulerOf<DispatchQueue>
      init(scheduler: AnySchedulerOf<DispatchQueue> = .main) { self.scheduler = scheduler }
    }
  }

  func streamsCode() async throws {
    var greetings: [String] = []
    let name = CurrentValueSubject<String, Never>("")
    let subscription =
      name
      .filter { !$0.isEmpty }
      .map { "Hello, \($0)." }
      .sink { greetings.append($0) }
    name.send("Ada")
    subscription.cancel()
  }

  func blockingCode() async throws {
    let url = URL(string: "https://photos.example/1")
    func download(_: URL?) -> Just<Data> { Just(Data()) }
    let page = try download(url).blocking(timeout: .seconds(10)).single()
    _ = page
  }

  func streamsFoundationCode() async throws {
    let results = DispatchQueue(label: "results")
    let squares = (1...3).publisher
      .subscribe(on: DispatchQueue.global())
    _ = (results, squares)
  }
}
