import Interleavings
import Streams

/// What crosses from publishers to tasks and actors (laws T4 and T5): each a story with several threads.
struct Bridge {
  let name: String
  /// Sets the story going; what comes back says at the end what was wrong.
  let begin: (SeededJobs) -> () -> String?

  static var all: [Bridge] {
    [everyValue, cancelledWait, failure, droppedIterator, futures, actorSink, actorCancel]
  }

  /// What upstream sends because it was asked to, the loop sees, in order; then the loop ends.
  private static var everyValue: Bridge {
    Bridge(name: "values, all of them") { jobs in
      let faucet = Faucet()
      let log = Log()
      let values = faucet.values
      log.task {
        for await value in values { log.add(value) }
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
  private static var actorSink: Bridge {
    Bridge(name: "a sink of an actor") { jobs in
      let subject = Sent(PassthroughSubject<Int, Never>())
      let ledger = Ledger()
      let log = Log()
      log.task { await ledger.listen(to: subject) }
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
        for producer in 1...3
        where entries.filter({ $0 / 10 == producer }) != [producer * 10, producer * 10 + 1] {
          return "T5: \(entries)"
        }
        return entries.count == 6 ? nil : "T5: \(entries)"
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

struct Fault: Error {}

/// What is handed to a task here stays on the one thread there is.
struct Sent<Value>: @unchecked Sendable {  // see above
  let value: Value
  init(_ value: Value) { self.value = value }
}

actor Ledger {
  private(set) var entries: [Int] = []
  private(set) var late = 0
  private var isStopped = false
  private var subscription: AnyCancellable?

  func listen(to subject: Sent<PassthroughSubject<Int, Never>>) {
    subscription = subject.value.sink { number in self.take(number) }
  }

  func stop() {
    subscription?.cancel()
    isStopped = true
  }

  private func take(_ number: Int) {
    preconditionIsolated()
    entries.append(number)
    if isStopped { late += 1 }
  }
}

/// What a story comes to.
final class Log: @unchecked Sendable {  // one thread only
  private(set) var entries: [Int] = []
  private(set) var isOver = false
  private var tasks: [Task<Void, Never>] = []

  func add(_ entry: Int) { entries.append(entry) }
  func end() { isOver = true }
  func cancel() { for task in tasks { task.cancel() } }
  func task(_ body: @escaping @Sendable () async -> Void) { tasks.append(Task { await body() }) }

  /// Asks an actor, when all is quiet.
  func read<Value>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let answer = Box<Value>()
    Task { answer.value = await body() }
    SeededJobs.shared.drain()
    return answer.value!
  }
}

private final class Box<Value>: @unchecked Sendable {  // one thread only
  var value: Value?
}
