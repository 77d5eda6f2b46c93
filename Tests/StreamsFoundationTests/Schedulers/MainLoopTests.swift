#if !canImport(Darwin)
  import Foundation
  import StreamsFoundation  // exports Streams, whose names are used here
  import StreamsTesting
  import Testing

  // Nobody runs the main run loop in a program of tests: its `main` is asynchronous. `Scripts/snippets` runs programs that do.
  @Suite("the main run loop, which nobody runs")
  struct MainLoopTests {
    @Test("runs timers without a complaint of Foundation, whose loop has no thread any more")
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

    @Test("runs actions on the main actor, each once and in order")
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

    @Test("runs an action of another mode, since it runs in none")
    func modes() async {
      await withCheckedContinuation { continuation in
        RunLoop.main.schedule(options: .init(mode: RunLoop.Mode("particular"))) { continuation.resume() }
      }
    }

    @Test("runs an action that an action schedules after those that wait")
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

    @Test("runs a delayed action once, and not before its date")
    func delay() async {
      let line = Line<Bool>()
      let due = RunLoop.main.now.advanced(by: .milliseconds(20))

      await withCheckedContinuation { continuation in
        RunLoop.main.schedule(after: due) { line.add(due.distance(to: RunLoop.main.now) > -0.001) }
        RunLoop.main.schedule(after: due.advanced(by: .milliseconds(20))) { continuation.resume() }
      }

      #expect(line.all == [true])
    }

    @Test("runs a repeated action until it is cancelled")
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

    @Test("serves a timer's publisher")
    func timer() async {
      var dates = Timer.publish(every: 0.002, on: .main, in: .common).autoconnect().prefix(3).values
        .makeAsyncIterator()

      var count = 0
      while await dates.next() != nil { count += 1 }

      #expect(count == 3)
    }

    @Test("lets go of what it has run")
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
