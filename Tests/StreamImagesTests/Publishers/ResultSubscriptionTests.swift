import StreamImages
import StreamsTesting
import Testing

@Suite("`ResultSubscription`")
final class ResultSubscriptionTests {
  private let work = ScriptedWork<Int>()

  deinit { work.giveUp() }

  private func isFinished(_ recorder: Recorder<Int, ImagePipeline.Error>) -> Bool {
    if case .finished? = recorder.completions.first { recorder.completions.count == 1 } else { false }
  }

  @Test("The first demand of a subscription begins its work once")
  func coldAndOnce() {
    let recorder = work.publisher.record(demand: .none)
    #expect(work.begins == 0)

    recorder.request(.max(1))
    recorder.request(.max(1))
    recorder.request(.unlimited)

    #expect(work.begins == 1)
  }

  @Test("Each subscriber begins its own work")
  func independent() {
    let publisher = work.publisher

    let recorders = [publisher.record(), publisher.record()]

    #expect(work.begins == 2)
    #expect(recorders.allSatisfy { $0.values.isEmpty })
  }

  @Test("Previews are delivered before the value and the completion")
  func order() {
    let recorder = work.publisher.record()

    work.show(1)
    work.show(2)
    work.finish(3)
    work.show(4)
    work.finish(5)

    #expect(recorder.values == [1, 2, 3])
    #expect(isFinished(recorder))
  }

  @Test("The latest preview waits for demand")
  func latestPreview() {
    let recorder = work.publisher.record(demand: .max(1))

    work.show(1)
    work.show(2)
    work.show(3)
    #expect(recorder.values == [1])
    recorder.request(.max(1))
    #expect(recorder.values == [1, 3])
    recorder.request(.max(1))

    #expect(recorder.values == [1, 3])
  }

  @Test("The value waits for demand, and the completion follows it at once")
  func valueWaits() {
    let recorder = work.publisher.record(demand: .max(1))
    work.show(1)

    work.finish(2)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
    recorder.request(.max(1))

    #expect(recorder.values == [1, 2])
    #expect(isFinished(recorder))
  }

  @Test("The value replaces a preview that waits for demand")
  func valueReplacesPreview() {
    let recorder = work.publisher.record(demand: .max(1))
    work.show(1)

    work.show(2)
    work.finish(3)
    recorder.request(.max(1))

    #expect(recorder.values == [1, 3])
    #expect(isFinished(recorder))
  }

  @Test("Demand returned by the subscriber is added to its requested demand")
  func returnedDemand() {
    let recorder = Recorder<Int, ImagePipeline.Error>(demand: .max(1), answering: .max(1))
    work.publisher.subscribe(recorder)

    work.show(1)
    work.show(2)
    work.finish(3)

    #expect(recorder.values == [1, 2, 3])
  }

  @Test("A failure is sent without demand and drops a waiting value")
  func failure() {
    let recorder = work.publisher.record(demand: .max(1))
    work.show(1)

    work.show(2)
    work.fail(.dataIsEmpty)

    #expect(recorder.values == [1])
    guard case .failure(.dataIsEmpty)? = recorder.completions.first else {
      return unexpected(recorder.completions)
    }
  }

  @Test("A value that is already available is delivered within the request")
  func synchronous() {
    work.onBegin { $0.finish(1) }
    let recorder = work.publisher.record(demand: .none)
    #expect(recorder.values.isEmpty)

    recorder.request(.max(1))

    #expect(recorder.values == [1])
    #expect(isFinished(recorder))
  }

  @Test("Nothing is delivered before `receive(subscription:)` returns")
  func notBeforeSubscribed() {
    work.onBegin { $0.finish(1) }
    let journal = Journal()

    let recorder = work.publisher.record(demand: .none) { recorder in
      recorder.onSubscription = { recorder in
        recorder.request(.unlimited)
        journal.note("asked, \(recorder.values.count) values")
      }
    }

    #expect(journal.lines == ["asked, 0 values"])
    #expect(recorder.values == [1])
  }

  @Test("Cancelling stops the work once and sends nothing more")
  func cancelling() {
    let recorder = work.publisher.record()
    work.show(1)

    recorder.cancel()
    recorder.cancel()
    work.show(2)
    work.finish(3)
    recorder.request(.max(1))

    #expect(work.stops == 1)
    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test(
    "A subscription cancelled before its first demand takes effect begins no work", arguments: [true, false])
  func cancelledEarly(_ isInside: Bool) {
    let recorder = work.publisher.record(demand: .none) { recorder in
      if isInside {
        recorder.onSubscription = { recorder in
          recorder.request(.max(1))
          recorder.cancel()
        }
      }
    }
    recorder.cancel()
    recorder.request(.max(1))

    #expect(work.begins == 0)
    #expect(recorder.events.count == 1)
  }

  @Test("Cancelling during a delivery stops further events")
  func cancelledInside() {
    let recorder = work.publisher.record { $0.onValue = { recorder, _ in recorder.cancel() } }

    work.finish(1)

    #expect(recorder.values == [1])
    #expect(recorder.completions.isEmpty)
  }

  @Test("Work that is cancelled while it begins is stopped")
  func cancelledWhileBeginning() {
    let recorder = Recorder<Int, ImagePipeline.Error>(demand: .none)
    work.onBegin { $0.show(1) }
    recorder.onValue = { recorder, _ in recorder.cancel() }
    work.publisher.subscribe(recorder)

    recorder.request(.unlimited)

    #expect(work.begins == 1)
    #expect(work.stops == 1)
  }

  @Test("Demand during a delivery is served serially after it")
  func askedInside() {
    var depth = 0
    var deepest = 0
    let recorder = work.publisher.record(demand: .max(1)) { [work] recorder in
      recorder.onValue = { recorder, value in
        depth += 1
        deepest = max(deepest, depth)
        if value == 1 { work.finish(2) }
        recorder.request(.max(1))
        depth -= 1
      }
    }

    work.show(1)

    #expect(recorder.values == [1, 2])
    #expect(deepest == 1)
    #expect(isFinished(recorder))
  }

  @Test(
    "The end or a cancellation releases the subscriber, its closures and the work",
    arguments: [true, false])
  func release(_ cancels: Bool) {
    var kept: (any Subscription)?
    let leaked = Lifetimes.leaks { lifetimes in
      let probe = lifetimes.probe("subscriber")
      let recorder = work.publisher.record { $0.onValue = { [probe] _, _ in _ = probe } }
      kept = recorder.subscriptions[0]
      if cancels { recorder.cancel() } else { work.finish(1) }
      recorder.forget()
    }

    #expect(leaked.isEmpty)
    kept?.cancel()
  }

  @Test("A demand of zero from the subscriber traps")
  func zeroDemand() async {
    await #expect(processExitsWith: .failure) {
      let recorder = ScriptedWork<Int>().publisher.record(demand: .none)
      recorder.subscriptions[0].request(.none)
    }
  }

  @Test("Under concurrent demand and cancellation, values arrive serially and the result at most once")
  func concurrent() async {
    for round in 0..<100 {
      let work = ScriptedWork<Int>()
      let recorder = work.publisher.record(demand: .max(1)) { recorder in
        recorder.answer = { _ in round.isMultiple(of: 2) ? .max(1) : .none }
      }

      await withTaskGroup { group in
        group.addTask { for value in 1...20 { work.show(value) } }
        group.addTask { for _ in 0..<20 { recorder.request(.max(1)) } }
        group.addTask { work.finish(1_000) }
        if round.isMultiple(of: 3) { group.addTask { recorder.cancel() } }
      }

      let values = recorder.values
      #expect(values.count { $0 == 1_000 } <= 1)
      #expect(values.filter { $0 < 1_000 } == values.filter { $0 < 1_000 }.sorted())
      #expect(
        recorder.completions.count
          == (values.last == 1_000 && !round.isMultiple(of: 3) ? 1 : recorder.completions.count))
      if !round.isMultiple(of: 3) { #expect(values.last == 1_000) }
    }
  }
}
