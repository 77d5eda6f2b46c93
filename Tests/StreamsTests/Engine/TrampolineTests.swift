import Streams
import StreamsTesting
import Testing

/// What publishers do that append, prepend or catch inside one that does, behind an `AnyPublisher`.
@Suite("Nested concatenation", .leavesNothing)
struct TrampolineTests {
  private typealias Source = Script<Int, TestFailure>

  @Test("Nested concatenations send all parts in order, and finish once")
  func order() {
    let inner = [2, 3].publisher.append(4).prepend(1).eraseToAnyPublisher()
    let middle = inner.append([5].publisher).prepend([0].publisher).eraseToAnyPublisher()

    let recorder = middle.append(6).prepend(-1).eraseToAnyPublisher().append(7).record()

    #expect(recorder.values == Array(-1...7))
    #expect(recorder.completions == [.finished])
  }

  @Test(
    "An endless recursive concatenation creates only the pages needed until it is cancelled",
    arguments: [1, 2, 1000])
  func paging(_ pages: Int) {
    var made = 0
    func page(_ number: Int) -> AnyPublisher<Int, Never> {
      made += 1
      return Just(number).append(Deferred { page(number + 1) }).eraseToAnyPublisher()
    }

    let recorder = page(0).record { recorder in
      recorder.onValue = { recorder, value in if value == pages { recorder.cancel() } }
    }

    #expect(recorder.values == Array(0...pages))
    #expect(made == pages + 1)
  }

  @Test("A recursive concatenation carries demand from page to page", arguments: 0...5)
  func demand(_ demand: Int) {
    func page(_ number: Int) -> AnyPublisher<Int, Never> {
      Just(number).append(Deferred { page(number + 1) }).eraseToAnyPublisher()
    }

    let recorder = page(0).record(demand: .max(demand))
    let first = recorder.values.count
    recorder.request(.max(2))
    recorder.cancel()

    #expect(first == demand)
    #expect(recorder.values.count == demand + 2)
  }

  @Test("A nested concatenation carries demand returned for the last value over to the next publisher")
  func answer() {
    let (first, second) = (Source(), Source())
    let chain = first.append(second).eraseToAnyPublisher().append(9)
    let recorder = Recorder<Int, TestFailure>(demand: .max(1), answering: .max(1))
    chain.subscribe(recorder)

    recorder.onValue = { _, value in if value == 1 { first.end() } }
    first.say(1)
    second.say(2)

    #expect(recorder.values == [1, 2])
    #expect(second.demands == [.max(1)])
    recorder.cancel()
  }

  @Test("A failure skips the publishers of `append`, and reaches the next `catch`")
  func failure() {
    let source = Source()
    let late = Source()
    let recorder = source.append(late).eraseToAnyPublisher().append(late).eraseToAnyPublisher()
      .catch { _ in Just(8).append(9).eraseToAnyPublisher() }
      .eraseToAnyPublisher().append(10).record()

    source.say(1)
    source.end(.failure(.scripted))

    #expect(recorder.values == [1, 8, 9, 10])
    #expect(recorder.completions == [.finished])
    #expect(late.sessions.isEmpty)
  }

  @Test("Nested `catch` operators handle failures that inner ones throw again")
  func levels() {
    let source = Source()
    let failing = Fail<Int, TestFailure>(error: .scripted)
    let recorder = source.catch { _ in failing }.eraseToAnyPublisher()
      .tryCatch { error -> AnyPublisher<Int, TestFailure> in throw error }
      .mapError { _ in TestFailure.scripted }.eraseToAnyPublisher()
      .catch { _ in Just(5).setFailureType(to: TestFailure.self).append(failing) }.eraseToAnyPublisher()
      .append(6).record()

    source.end(.failure(.scripted))

    #expect(recorder.values == [5])
    #expect(recorder.completions == [.failure(.scripted)])
  }

  @Test("A nested concatenation ignores signals of an upstream that has already finished")
  func late() {
    let (first, second) = (Source(), Source())
    let recorder = first.append(second).eraseToAnyPublisher().append(9).record()
    first.say(1)
    first.end()

    first.say(2)
    first.end(.failure(.scripted))
    second.say(3)
    second.end()

    #expect(recorder.values == [1, 3, 9])
    #expect(recorder.completions == [.finished])
  }

  @Test("A nested concatenation cancels a second subscription, and a late one")
  func subscriptions() {
    let (first, second) = (Source(), Source())
    second.handsOverAtOnce = false
    let recorder = first.append(second).eraseToAnyPublisher().append(9).record()
    let (surplus, late) = (SubscriptionRecorder(), SubscriptionRecorder())

    first.session?.handOver(surplus)
    first.end()
    recorder.cancel()
    second.session?.handOver(late)

    #expect(surplus.cancellations == 1)
    #expect(late.cancellations == 1)
    #expect(first.cancellations == 0)
  }

  @Test("Cancelling a nested concatenation cancels only the active publisher, once", arguments: 0...2)
  func cancelling(_ turn: Int) {
    let scripts = [Source(), Source(), Source()]
    let recorder = scripts[0].append(scripts[1]).eraseToAnyPublisher().append(scripts[2]).record()

    for script in scripts[..<turn] { script.end() }
    recorder.cancel()
    recorder.cancel()

    #expect(scripts.map(\.cancellations) == [0, 1, 2].map { $0 == turn ? 1 : 0 })
    #expect(scripts.map(\.sessions.count) == [0, 1, 2].map { $0 <= turn ? 1 : 0 })
  }

  @Test(
    "A nested concatenation releases finished and unused publishers", arguments: [false, true])
  func releasing(_ cancels: Bool) {
    let source = Source()
    source.keepsSubscribers = false
    let leaked = Lifetimes.leaks { lifetimes in
      let closure = lifetimes.probe("closure")
      let recorder = lifetimes.track(Recorder<Int, TestFailure>())
      source.append(9).eraseToAnyPublisher()
        .catch { _ in Just(closure.name.count).setFailureType(to: TestFailure.self) }.eraseToAnyPublisher()
        .append(Deferred { Just(closure.name.count).setFailureType(to: TestFailure.self) })
        .subscribe(recorder)

      if cancels { recorder.cancel() } else { source.end() }
      recorder.forget()
    }

    #expect(leaked.isEmpty)
  }

  @Test(
    "The number of nested concatenations does not deepen the stack",
    arguments: ["append", "prepend", "catch"])
  func depth(_ kind: String) {
    let (few, many) = (chain(kind, 20), chain(kind, 20_000))

    #expect(lowestAddress(many) >= lowestAddress(few) - 4096)
  }

  /// Built in a loop: what is written last is outermost.
  private func chain(_ kind: String, _ links: Int) -> AnyPublisher<Int, TestFailure> {
    let failure = Fail<Int, TestFailure>(error: .scripted).eraseToAnyPublisher()
    let nothing = Empty<Int, TestFailure>().eraseToAnyPublisher()
    return (0..<links).reduce(kind == "catch" ? failure : nothing) { chain, value in
      switch kind {
      case "append": chain.append(value).eraseToAnyPublisher()
      case "prepend": chain.prepend(value).eraseToAnyPublisher()
      default:
        chain.catch { _ in
          value == links - 1
            ? Just(1).setFailureType(to: TestFailure.self)
              .eraseToAnyPublisher() : failure
        }.eraseToAnyPublisher()
      }
    }
  }

  private func lowestAddress(_ publisher: AnyPublisher<Int, TestFailure>) -> UInt {
    var lowest = UInt.max
    let recorder = publisher.record { recorder in
      recorder.onValue = { recorder, _ in
        withUnsafeBytes(of: recorder) { lowest = min(lowest, UInt(bitPattern: $0.baseAddress)) }
      }
    }
    #expect(recorder.completions.count == 1)
    return lowest
  }
}
