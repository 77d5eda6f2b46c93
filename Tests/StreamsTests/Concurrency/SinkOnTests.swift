import Streams
import StreamsExtras
import StreamsTesting
import Testing

private enum Broken: Error { case once }

private actor Ledger {
  private(set) var sum = 0
  private(set) var ends: [String] = []

  func add(_ value: Int) { sum += value }
  func close(_ reason: String) { ends.append(reason) }
}

@Suite("`sink(on:)`", .leavesNothing)
struct SinkOnTests {
  @Test("`sink(on:)` delivers every value of eight threads before the completion on the actor")
  func actor() async {
    let (subject, end) = (PassthroughSubject<Int, Broken>(), Recorder<Int, Never>())
    let ledger = Ledger()
    let sink = subject.sink(
      on: ledger,
      receiveCompletion: { ledger, completion in
        ledger.close("\(completion == .failure(.once)), sum \(ledger.sum)")
        _ = end.receive(1)
      },
      receiveValue: { ledger, value in ledger.add(value) })
    let send: @Sendable () -> Void = { for value in 1...100 { subject.send(value) } }

    race(send, send, send, send, send, send, send, send)
    subject.send(completion: .failure(.once))
    _ = await end.received(1)

    #expect(await ledger.ends == ["true, sum 40400"])
    sink.cancel()
  }

  @Test("`sink(on:)` delivers nothing after a cancellation on the actor")
  @MainActor
  func cancelled() async {
    let subject = PassthroughSubject<Int, Never>()
    let (seen, witness) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    let leaving = subject.sink(on: MainActor.shared) { _, value in _ = seen.receive(value) }
    let staying = subject.sink(on: MainActor.shared) { _, value in _ = witness.receive(value) }

    elsewhere { for value in 0..<10 { subject.send(value) } }
    leaving.cancel()
    _ = await witness.received(10)

    #expect(seen.values == [])
    staying.cancel()
  }

  @Test("`sink(on:)` and `sinkOnMain` deliver synchronously for values sent on the main actor")
  @MainActor
  func direct() {
    let subject = PassthroughSubject<Int, Never>()
    var seen: [Int] = []
    let onMain = subject.sinkOnMain { seen.append($0) }
    let (recorder, actor) = (Recorder<Int, Never>(), MainActor.shared)
    let on = subject.sink(on: actor) { _, value in _ = recorder.receive(value) }

    subject.send(1)

    #expect(seen == [1])
    #expect(recorder.values == [1])
    onMain.cancel()
    on.cancel()
  }

  @Test("`sinkOnMain` delivers another thread's values and completion on the main actor")
  @MainActor
  func onMain() async {
    let subject = PassthroughSubject<Int, Broken>()
    let end = Recorder<Int, Never>()
    var log: [String] = []
    let sink = subject.sinkOnMain(
      receiveCompletion: { completion in
        log.append("\(completion)")
        _ = end.receive(1)
      },
      receiveValue: { log.append("\($0)") })

    elsewhere {
      subject.send(1)
      subject.send(2)
      subject.send(completion: .finished)
    }
    _ = await end.received(1)

    #expect(log == ["1", "2", "finished"])
    sink.cancel()
  }

  @Test(
    "`sink(on:)` and `sinkOnMain` release their closures at completion or cancellation",
    arguments: [true, false])
  @MainActor
  func lifetimes(isCancelled: Bool) {
    let lifetimes = Lifetimes()
    let subject = PassthroughSubject<Int, Never>()
    let sinks = closures(lifetimes, subject)
    let before = lifetimes.living

    if isCancelled { for sink in sinks { sink.cancel() } } else { subject.send(completion: .finished) }

    #expect(before == ["on an actor", "on the main actor", "in an actor"])
    #expect(lifetimes.living.isEmpty)
    withExtendedLifetime(sinks) {}
  }

  @MainActor
  private func closures(
    _ lifetimes: Lifetimes, _ subject: PassthroughSubject<Int, Never>
  ) -> [AnyCancellable] {
    let probes = ["on an actor", "on the main actor", "in an actor"].map(lifetimes.probe)
    return [
      subject.sink(on: MainActor.shared) { [probe = probes[0]] _, _ in _ = probe },
      subject.sinkOnMain { [probe = probes[1]] _ in _ = probe },
      subject.sink { @MainActor [probe = probes[2]] _ in _ = probe },
    ]
  }
}
