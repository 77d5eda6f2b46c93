import Foundation
import Streams
import StreamsExtras
import StreamsTesting
import Synchronization
import Testing

@Suite("`trySend`", .leavesNothing)
struct TrySendTests {
  @Test("`trySend` sends if no other thread is sending, even inside a delivery", arguments: Trial.all)
  fileprivate func sends(trial: Trial) {
    let seen = Recorder<Int, Never>()
    let nested = Count()
    let cancellable = trial.publisher.sink { value in
      _ = seen.receive(value)
      if value == 1, trial.trySend(2) { nested.add(1) }
    }

    #expect(trial.trySend(1))
    #expect(nested.value == 1)
    #expect(seen.values.suffix(2) == [1, 2])
    cancellable.cancel()
  }

  @Test("`trySend` fails while another thread delivers, and succeeds afterwards", arguments: Trial.all)
  fileprivate func refuses(trial: Trial) {
    let seen = Recorder<Int, Never>()
    let accepted = Count()
    let cancellable = trial.publisher.sink { value in
      _ = seen.receive(value)
      if value == 1 { elsewhere { if trial.trySend(2) { accepted.add(1) } } }
    }

    trial.send(1)
    let valueBefore = trial.value()
    let isSentLater = trial.trySend(3)

    #expect(accepted.value == 0)
    #expect(valueBefore == 1)
    #expect(isSentLater)
    #expect(seen.values.suffix(2) == [1, 3])
    cancellable.cancel()
  }

  @Test(
    "`trySend` fails inside a delivery while another thread's value is waiting", arguments: Trial.all)
  fileprivate func waits(trial: Trial) {
    let seen = Recorder<Int, Never>()
    let accepted = Count()
    let cancellable = trial.publisher.sink { value in
      _ = seen.receive(value)
      guard value == 1 else { return }
      elsewhere { trial.send(2) }
      if trial.trySend(3) { accepted.add(1) }
    }

    trial.send(1)

    #expect(accepted.value == 0)
    #expect(seen.values.suffix(2) == [1, 2])
    cancellable.cancel()
  }

  @Test("`trySend` succeeds without subscribers and after the completion", arguments: Trial.all)
  fileprivate func nobody(trial: Trial) {
    #expect(trial.trySend(1))
    trial.finish()
    let recorder = trial.publisher.record()

    #expect(trial.trySend(2))
    #expect(trial.value() == 1)
    #expect(recorder.values == [])
  }

  @Test(
    "`trySend` delivers on the calling thread before it returns, or not at all",
    arguments: Trial.all)
  fileprivate func competes(trial: Trial) {
    let (accepted, strayed) = (Count(), Count())
    let owners = Guarded<[Int: pthread_t]>([:])
    let delivered = Guarded<[Int]>([])
    let cancellable = trial.publisher.sink { value in
      guard value > 0 else { return }
      delivered.withLock { $0.append(value) }
      if owners.withLock({ $0[value] }) != pthread_self() { strayed.add(1) }
    }
    let flood: @Sendable (Int) -> Void = { part in
      for number in 1...2_000 {
        let value = part * 10_000 + number
        owners.withLock { $0[value] = pthread_self() }
        let isSent = trial.trySend(value)
        if isSent { accepted.add(1) }
        if isSent != (delivered.withLock { $0.last { $0 == value } } != nil) { strayed.add(1) }
      }
    }

    race({ flood(1) }, { flood(2) })

    #expect(strayed.value == 0)
    #expect(delivered.withLock { $0.count } == accepted.value)
    cancellable.cancel()
  }
}

private final class Count: Sendable {
  private let number = Atomic(0)

  var value: Int { number.load(ordering: .relaxed) }

  func add(_ more: Int) { number.wrappingAdd(more, ordering: .relaxed) }
}

/// A subject under test.
private struct Trial: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let publisher: AnySendablePublisher<Int, Never>
  let send: @Sendable (Int) -> Void
  let trySend: @Sendable (Int) -> Bool
  let finish: @Sendable () -> Void
  /// The current value, or the last one sent.
  let value: @Sendable () -> Int

  static var all: [Trial] { [passthrough, current] }

  private static var passthrough: Trial {
    let subject = PassthroughSubject<Int, Never>()
    return Trial(
      testDescription: "PassthroughSubject", publisher: subject.eraseToAnySendablePublisher(),
      send: { subject.send($0) }, trySend: { subject.trySend($0) },
      finish: { subject.send(completion: .finished) }, value: { 1 })
  }

  private static var current: Trial {
    let subject = CurrentValueSubject<Int, Never>(-1)
    return Trial(
      testDescription: "CurrentValueSubject", publisher: subject.eraseToAnySendablePublisher(),
      send: { subject.send($0) }, trySend: { subject.trySend($0) },
      finish: { subject.send(completion: .finished) }, value: { subject.value })
  }
}
