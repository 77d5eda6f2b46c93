import Interleavings
import Streams
import StreamsExtras

extension Bridge {
  /// What an asynchronous closure makes of each value comes in order, as it is asked for; then the end.
  static func mapped(_ name: String, _ mapping: AsyncMapping) -> Bridge {
    Bridge(name: name) { jobs in
      let subject = PassthroughSubject<Int, Never>()
      let gauge = Gauge()
      subject.asyncMap(mapping) { $0 }.subscribe(gauge)
      for producer in 1...3 {
        jobs.addThread {
          subject.send(producer * 10)
          subject.send(producer * 10 + 1)
        }
      }
      jobs.addThread { for _ in 0..<3 { gauge.ask() } }
      jobs.addThread { for _ in 0..<3 { gauge.ask() } }
      return {
        subject.send(completion: .finished)
        jobs.drain()
        if let words = disorder(gauge.entries) { return "T4: \(words)" }
        return gauge.completions == 1 ? nil : "T4: \(gauge.completions) completions"
      }
    }
  }

  /// One at a time: only as much is sent as the closure is ready for, and nothing of it is lost.
  static func paced(_ name: String, _ mapping: AsyncMapping) -> Bridge {
    Bridge(name: name) { jobs in
      let faucet = Faucet()
      let gauge = Gauge()
      faucet.asyncMap(mapping) { $0 }.subscribe(gauge)
      for _ in 0..<3 { jobs.addThread { faucet.run() } }
      for _ in 0..<3 { jobs.addThread { gauge.ask() } }
      return {
        for _ in 0..<3 {
          faucet.run()
          jobs.drain()
          gauge.ask()
        }
        faucet.finish()
        jobs.drain()
        let sent = faucet.stream?.sent ?? []
        if gauge.entries != sent { return "T4: sent \(sent), seen \(gauge.entries)" }
        return gauge.completions == 1 ? nil : "T4: \(gauge.completions) completions"
      }
    }
  }

  /// Cancelling while closures are at work: at most what was under way arrives.
  static func mappedAndCancelled(_ name: String, _ mapping: AsyncMapping) -> Bridge {
    Bridge(name: name) { jobs in
      let subject = PassthroughSubject<Int, Never>()
      let gauge = Gauge()
      subject.asyncMap(mapping) { $0 }.subscribe(gauge)
      for _ in 0..<4 { gauge.ask() }
      for number in 1...3 { jobs.addThread { subject.send(number) } }
      jobs.addThread { gauge.cancel() }
      return {
        gauge.late <= 1 && gauge.completions == 0 ? nil : "T4: \(gauge.late) values after cancellation"
      }
    }
  }
}
