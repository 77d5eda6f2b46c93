#if !canImport(Darwin)
  import Foundation
  import StreamsFoundation  // exports Streams, whose names are used here
  import StreamsTesting
  import Testing

  // Nobody runs the main run loop in a program of tests: its `main` is asynchronous. `Scripts/snippets` runs programs that do.
  @Suite("`RunLoop.main` under asynchronous `main`")
  struct MainLoopTests {
    @Test("The main run loop runs a delayed action without a warning from Foundation")
    func isQuiet() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let loop = RunLoop.main
        await withCheckedContinuation { continuation in
          loop.schedule(after: loop.now.advanced(by: 0.001)) { continuation.resume() }
        }
      }

      let complaints = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(!complaints.contains("runloop"))
    }

    @Test("The main run loop runs actions on the main actor, once and in order")
    func order() async {
      let line = Line<Int>()

      await withCheckedContinuation { continuation in
        for number in 1...1000 {
          RunLoop.main.schedule { MainActor.assumeIsolated { line.add(number) } }
        }
        RunLoop.main.schedule { continuation.resume() }
      }

      #expect(line.all == Array(1...1000))
    }

    @Test("The main run loop runs an action with another mode")
    func modes() async {
      await withCheckedContinuation { continuation in
        RunLoop.main.schedule(options: .init(mode: RunLoop.Mode("particular"))) { continuation.resume() }
      }
    }

    @Test("An action scheduled within an action runs after the waiting ones")
    func nested() async {
      let line = Line<Int>()

      await withCheckedContinuation { continuation in
        // Nothing runs beside an action of the main loop, so the next two wait together.
        RunLoop.main.schedule {
          RunLoop.main.schedule {
            RunLoop.main.schedule {
              line.add(3)
              continuation.resume()
            }
            line.add(1)
          }
          RunLoop.main.schedule { line.add(2) }
        }
      }

      #expect(line.all == [1, 2, 3])
    }

    @Test("The main run loop runs a delayed action once and not before its date")
    func delay() async {
      let line = Line<Bool>()
      let due = RunLoop.main.now.advanced(by: .milliseconds(20))

      await withCheckedContinuation { continuation in
        RunLoop.main.schedule(after: due) { line.add(due.distance(to: RunLoop.main.now) > -0.001) }
        RunLoop.main.schedule(after: due.advanced(by: .milliseconds(20))) { continuation.resume() }
      }

      #expect(line.all == [true])
    }

    @Test("The main run loop repeats an action until it is cancelled")
    @MainActor
    func repetition() async {
      let line = Line<Int>()
      let stop = Held()

      await withCheckedContinuation { continuation in
        let ticks = RunLoop.main.schedule(after: RunLoop.main.now, interval: .milliseconds(5)) {
          line.add(line.all.count + 1)
          guard line.all.count == 3 else { return }
          stop.cancel()
          RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .milliseconds(20))) {
            continuation.resume()
          }
        }
        stop.hold(AnyCancellable { ticks.cancel() })
      }

      #expect(line.all == [1, 2, 3])
    }

    @Test("A timer publisher on the main run loop sends dates")
    func timer() async {
      var dates = Timer.publish(every: 0.002, on: .main, in: .common).autoconnect().prefix(3).values
        .makeAsyncIterator()

      var count = 0
      while await dates.next() != nil { count += 1 }

      #expect(count == 3)
    }

    @Test("The main run loop releases the actions it has run")
    func release() async {
      let lifetimes = Lifetimes()

      await withCheckedContinuation { continuation in
        let object = lifetimes.track(Line<Int>(), as: "an object")
        RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .milliseconds(1))) { object.add(1) }
        RunLoop.main.schedule { object.add(2) }
        RunLoop.main.schedule(after: RunLoop.main.now.advanced(by: .milliseconds(10))) {
          continuation.resume()
        }
      }

      #expect(lifetimes.living == [])
    }
  }
#endif
