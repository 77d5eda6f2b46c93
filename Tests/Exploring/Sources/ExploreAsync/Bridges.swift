import Interleavings
import Streams
import StreamsExtras

/// What crosses from publishers to tasks and actors (laws T4 and T5): each a story with several threads.
struct Bridge {
  let name: String
  /// Sets the story going; what comes back says at the end what was wrong.
  let begin: (SeededJobs) -> () -> String?

  static var all: [Bridge] {
    [
      everyValue("values, all of them") { $0.values },
      everyValue("prefetched values, all of them") { $0.values(buffering: .prefetching(2)) },
      buffered, cancelledWait, failure, droppedIterator, futures, sequence, cancelledSequence,
      actorSink("a sink of an actor") { await $0.listen(to: $1) },
      actorSink("a sink on an actor") { await $0.listenOn(to: $1) },
      actorCancel,
      mapped("closures that are awaited, in a queue", .queue),
      paced("closures that are awaited, one at a time", .serial),
      paced("closures that are awaited, two in order", .ordered(2)),
      mappedAndCancelled("closures that are awaited, cancelled", .queue),
    ]
  }

  /// What upstream sends because it was asked to, the loop sees, in order; then the loop ends.
  private static func everyValue<Values: AsyncSequence & SendableMetatype>(
    _ name: String, _ make: @escaping (Faucet) -> Values
  ) -> Bridge where Values.Element == Int, Values.Failure == Never {
    Bridge(name: name) { jobs in
      let faucet = Faucet()
      let log = Log()
      let values = Sent(make(faucet))
      log.task {
        for await value in values.value { log.add(value) }
        log.end()
      }
      for _ in 0..<6 { jobs.addThread { faucet.run() } }
      return {
        for _ in 0..<3 {
          faucet.run()
          jobs.drain()
        }
        faucet.finish()
        jobs.drain()
        let sent = faucet.stream?.sent ?? []
        if log.entries != sent { return "T4: sent \(sent), seen \(log.entries)" }
        return log.isOver ? nil : "T4: the loop does not end"
      }
    }
  }

  /// Whatever is sent from the beginning of the iteration on, a loop with a buffer sees.
  private static var buffered: Bridge {
    Bridge(name: "buffered values") { jobs in
      let subject = PassthroughSubject<Int, Never>()
      let log = Log()
      let values = Sent(subject.values(buffering: .unbounded))
      log.task {
        for await value in values.value { log.add(value) }
        log.end()
      }
      jobs.drain()
      for producer in 1...3 {
        jobs.addThread {
          subject.send(producer * 10)
          subject.send(producer * 10 + 1)
        }
      }
      return {
        subject.send(completion: .finished)
        jobs.drain()
        if let words = disorder(log.entries) { return "T4: \(words)" }
        return log.isOver ? nil : "T4: the loop does not end"
      }
    }
  }

  /// An asynchronous sequence gives as many elements as are asked for, in order, then its end.
  private static var sequence: Bridge {
    Bridge(name: "a sequence as a publisher") { jobs in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let gauge = Gauge()
      stream.publisher.subscribe(gauge)
      jobs.addThread { for number in 1...3 { continuation.yield(number) } }
      jobs.addThread { for _ in 0..<3 { gauge.ask() } }
      return {
        continuation.finish()
        gauge.ask()
        jobs.drain()
        if gauge.entries != [1, 2, 3] { return "T4: \(gauge.entries)" }
        return gauge.completions == 1 ? nil : "T4: \(gauge.completions) completions"
      }
    }
  }

  /// Cancelling such a publisher: at most what was under way arrives.
  private static var cancelledSequence: Bridge {
    Bridge(name: "a sequence as a publisher, cancelled") { jobs in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let gauge = Gauge()
      stream.publisher.subscribe(gauge)
      gauge.ask()
      gauge.ask()
      jobs.addThread { for number in 1...3 { continuation.yield(number) } }
      jobs.addThread { gauge.cancel() }
      return {
        gauge.late <= 1 && gauge.completions == 0 ? nil : "T4: \(gauge.late) values after cancellation"
      }
    }
  }

  /// What is wrong if these are not two values of three producers, each in order.
  static func disorder(_ entries: [Int]) -> String? {
    for producer in 1...3 where entries.filter({ $0 / 10 == producer }) != [producer * 10, producer * 10 + 1]
    {
      return "\(entries)"
    }
    return entries.count == 6 ? nil : "\(entries)"
  }

  /// Cancelling the task ends the wait, whenever it comes.
  private static var cancelledWait: Bridge {
    Bridge(name: "values, cancelled") { jobs in
      let subject = PassthroughSubject<Int, Never>()
      let log = Log()
      let values = subject.values
      log.task {
        for await value in values { log.add(value) }
        log.end()
      }
      for number in 1...3 { jobs.addThread { subject.send(number) } }
      jobs.addThread { log.cancel() }
      return {
        if Set(log.entries).count != log.entries.count { return "T4: \(log.entries) has a value twice" }
        return log.isOver ? nil : "T4: the loop does not end"
      }
    }
  }

  /// A failure is thrown once, after the values; then there is nothing more.
  private static var failure: Bridge {
    Bridge(name: "values, failing") { jobs in
      let subject = CurrentValueSubject<Int, Fault>(0)
      let log = Log()
      let values = subject.values
      log.task {
        var iterator = values.makeAsyncIterator()
        do {
          while let value = try await iterator.next() { log.add(value) }
        } catch {
          log.add(-1)
        }
        if (try? await iterator.next()) != nil { log.add(-2) }
        log.end()
      }
      jobs.addThread { subject.send(1) }
      jobs.addThread { subject.send(completion: .failure(Fault())) }
      return {
        if log.entries.count(where: { $0 == -1 }) != 1 || log.entries.last != -1 {
          return "T4: \(log.entries)"
        }
        return log.isOver ? nil : "T4: the loop does not end"
      }
    }
  }

  /// Leaving the loop cancels upstream, once.
  private static var droppedIterator: Bridge {
    Bridge(name: "values, left early") { jobs in
      let faucet = Faucet()
      let log = Log()
      let values = faucet.values
      log.task {
        for await value in values {
          log.add(value)
          break
        }
        log.end()
      }
      for _ in 0..<4 { jobs.addThread { faucet.run() } }
      return {
        faucet.run()
        jobs.drain()
        if log.entries != [1] || !log.isOver { return "T4: \(log.entries)" }
        let count = faucet.stream?.cancellations
        return count == 1 ? nil : "T4: upstream is cancelled \(count ?? 0) times"
      }
    }
  }

  /// All who wait for a future get its one value.
  private static var futures: Bridge {
    Bridge(name: "a future, awaited by two") { jobs in
      let log = Log()
      var promise: ((Result<Int, Never>) -> Void)!
      let future = Sent(Future<Int, Never> { promise = $0 })
      let keep = promise!
      for _ in 0..<2 { log.task { log.add(await future.value.value) } }
      for number in 1...2 { jobs.addThread { keep(.success(number)) } }
      return {
        log.entries.count == 2 && Set(log.entries).count == 1 ? nil : "T4: \(log.entries)"
      }
    }
  }

  /// A closure of an actor runs there, sees everything, and in order.
  private static func actorSink(
    _ name: String, _ listen: @escaping @Sendable (Ledger, Sent<PassthroughSubject<Int, Never>>) async -> Void
  ) -> Bridge {
    Bridge(name: name) { jobs in
      let subject = Sent(PassthroughSubject<Int, Never>())
      let ledger = Ledger()
      let log = Log()
      log.task { await listen(ledger, subject) }
      jobs.drain()
      for producer in 1...3 {
        jobs.addThread {
          subject.value.send(producer * 10)
          subject.value.send(producer * 10 + 1)
        }
      }
      return {
        let entries = log.read {
          let entries = await ledger.entries
          await ledger.stop()
          return entries
        }
        return disorder(entries).map { "T5: \($0)" }
      }
    }
  }

  /// Nothing is delivered on the actor after a cancellation on it.
  private static var actorCancel: Bridge {
    Bridge(name: "a sink of an actor, cancelled") { jobs in
      let subject = Sent(PassthroughSubject<Int, Never>())
      let ledger = Ledger()
      let log = Log()
      log.task {
        await ledger.listen(to: subject)
        _ = await ledger.entries
        await ledger.stop()
      }
      for number in 1...4 { jobs.addThread { subject.value.send(number) } }
      return {
        let late = log.read { [await ledger.late] }
        return late == [0] ? nil : "T5: \(late) values after cancellation"
      }
    }
  }
}
