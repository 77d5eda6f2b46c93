import Dispatch
import Streams
import StreamsTesting
import Testing

@MainActor
private final class Album {
  var last = 0
  var seen: [Int] = []
  var onEnd: (() -> Void)?
  private var subscriptions: Set<AnyCancellable> = []

  /// As people write it: nothing says "main actor" here.
  func follow(_ subject: PassthroughSubject<Int, Never>) {
    subject.sink(
      receiveCompletion: { [weak self] _ in
        MainActor.preconditionIsolated()
        self?.onEnd?()
      },
      receiveValue: { [weak self] value in
        MainActor.preconditionIsolated()
        self?.seen.append(value)
      }
    ).store(in: &subscriptions)
  }

  func assign(_ subject: PassthroughSubject<Int, Never>) {
    subject.assign(to: \.last, on: self).store(in: &subscriptions)
  }

  func stop() { subscriptions = [] }
}

private actor Ledger {
  private(set) var sum = 0
  private var subscriptions: [AnyCancellable] = []

  func follow(_ subject: PassthroughSubject<Int, Never>, onEnd: @escaping @Sendable () -> Void) {
    subject.sink(
      receiveCompletion: { _ in onEnd() },
      receiveValue: { value in self.sum += value }
    ).store(in: &subscriptions)
  }

  func followStrictly(_ subject: PassthroughSubject<Int, Never>) {
    subject.sink(isolation: .trap, receiveCompletion: { _ in }, receiveValue: { self.sum += $0 })
      .store(in: &subscriptions)
  }

  func send(_ value: Int, to subject: PassthroughSubject<Int, Never>) { subject.send(value) }
}

@Suite("Isolated closures", .leavesNothing)
struct IsolationTests {
  @Test("An isolated closure is called synchronously for values sent on its actor")
  @MainActor
  func direct() {
    let album = Album()
    let subject = PassthroughSubject<Int, Never>()
    album.follow(subject)
    album.assign(subject)

    subject.send(1)
    subject.send(2)

    #expect(album.seen == [1, 2])
    #expect(album.last == 2)
    album.stop()
  }

  @Test("An isolated closure is called on its actor, in order, for values of another thread")
  @MainActor
  func fromElsewhere() async {
    let album = Album()
    let subject = PassthroughSubject<Int, Never>()
    album.follow(subject)

    await withCheckedContinuation { continuation in
      album.onEnd = { continuation.resume() }
      DispatchQueue.global().async {
        for value in 1...1000 { subject.send(value) }
        subject.send(completion: .finished)
      }
    }

    #expect(album.seen == Array(1...1000))
  }

  @Test("An isolated closure is not called after a cancellation on its actor")
  @MainActor
  func cancelled() async {
    let album = Album()
    let subject = PassthroughSubject<Int, Never>()
    album.follow(subject)

    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        for value in 1...100 { subject.send(value) }
        DispatchQueue.main.async {
          MainActor.assumeIsolated { album.stop() }
          continuation.resume()
        }
      }
    }
    let seen = album.seen
    subject.send(101)
    await Task.yield()

    #expect(album.seen == seen)
    #expect(!seen.contains(101))
  }

  @Test("A closure on an actor receives every value of four threads before the completion")
  func inAnActor() async {
    let ledger = Ledger()
    let subject = PassthroughSubject<Int, Never>()

    await withCheckedContinuation { continuation in
      Task {
        await ledger.follow(subject) { continuation.resume() }
        DispatchQueue.concurrentPerform(iterations: 4) { _ in for value in 1...100 { subject.send(value) } }
        subject.send(completion: .finished)
      }
    }

    #expect(await ledger.sum == 4 * 5050)
  }

  @Test(
    "An isolated closure releases its actor after the completion, though the actor retains the subscription")
  func letsGoOfActor() async {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, Never>()

    await withCheckedContinuation { continuation in
      Task {
        let ledger = lifetimes.track(Ledger(), as: "the actor")
        await ledger.follow(subject) { continuation.resume() }
        subject.send(completion: .finished)
      }
    }
    let end = ContinuousClock.now + .seconds(60)
    while !lifetimes.living.isEmpty, ContinuousClock.now < end { await Task.yield() }

    #expect(lifetimes.living == [])
  }

  @Test("An isolated closure with the policy `trust` runs on the sending thread")
  @MainActor
  func trusted() async {
    let subject = PassthroughSubject<Int, Never>()
    let calls = Calls()
    let sink = subject.sink(
      isolation: .trust, receiveCompletion: { _ in }, receiveValue: { @MainActor _ in calls.note() })

    let countAfterSending = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        subject.send(1)
        continuation.resume(returning: calls.count)
      }
    }

    #expect(countAfterSending == 1)
    sink.cancel()
  }

  @Test("An isolated closure with the policy `trap` traps on a value from another thread")
  func trapped() async {
    await #expect(processExitsWith: .failure) {
      let subject = PassthroughSubject<Int, Never>()
      let sink = subject.sink(
        isolation: .trap, receiveCompletion: { _ in }, receiveValue: { @MainActor _ in })
      await Task.detached { subject.send(1) }.value
      sink.cancel()
    }
  }

  @Test("A closure on an actor with the policy `trap` traps only on values sent elsewhere")
  func trappedInAnActor() async {
    await #expect(processExitsWith: .success) {
      let subject = PassthroughSubject<Int, Never>(), ledger = Ledger()
      await ledger.followStrictly(subject)
      await ledger.send(1, to: subject)
      let sum = await ledger.sum
      precondition(sum == 1)
    }
    await #expect(processExitsWith: .failure) {
      let subject = PassthroughSubject<Int, Never>(), ledger = Ledger()
      await ledger.followStrictly(subject)
      await Task.detached { subject.send(1) }.value
    }
  }

  @Test("An isolated closure traps on another thread's value if the standard policy is `trap`")
  func trappedByStandard() async {
    await #expect(processExitsWith: .failure) {
      Subscribers.IsolationPolicy.standard = .trap
      let subject = PassthroughSubject<Int, Never>()
      let album = await Album()
      await album.assign(subject)
      await Task.detached { subject.send(1) }.value
    }
  }

  @Test("`map` reads a key path synchronously on the sending thread")
  @MainActor
  func keyPaths() {
    let subject = PassthroughSubject<String, Never>()
    let recorder = subject.map(\.count).record()

    elsewhere { subject.send("three") }

    #expect(recorder.values == [5])
  }

  @Test("The closure of an `AnyCancellable` runs on its actor when cancelled on another thread")
  func cancelsThere() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let cancellable = AnyCancellable { @MainActor in
        MainActor.preconditionIsolated()
        continuation.resume()
      }
      DispatchQueue.global().async { cancellable.cancel() }
    }
  }
}

private final class Calls: Sendable {
  private let calls = Guarded(0)

  func note() { calls.withLock { $0 += 1 } }
  var count: Int { calls.withLock { $0 } }
}
