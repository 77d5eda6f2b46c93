import Interleavings
@testable import StreamImages

extension ImageScenario {
  /// No byte and no place is lost or counted twice, and whoever waits is resumed once there is room.
  static var budgets: [ImageScenario] { bytes + hosts + promises }

  private static var bytes: [ImageScenario] {
    [
      budget("released while a task begins to wait", charges: [2], waiting: 1),
      budget("two tasks wait", charges: [2], waiting: 2),
      budget("two charges, released by two threads", charges: [1, 1], waiting: 1),
      budget("a waiting task is cancelled", charges: [2], waiting: 1, cancels: true),
      budget("one of two waiting tasks is cancelled", charges: [2], waiting: 2, cancels: true),
      // Nothing but its cancellation can resume it.
      ImageScenario("ByteBudget: cancelled, and there is never room") { play in
        let budget = ByteBudget(limit: 0)
        let charge = budget.charge(1)
        let log = Log<Int>()
        let task = play.task {
          await budget.waitForRoom()
          log.add(1)
        }
        play.thread { task.cancel() }
        return {
          withExtendedLifetime(charge) {}
          return log.entries.count == 1 && budget.waitingCount == 0
            ? nil : "Q3: \(log.entries.count) have returned"
        }
      },
      // The task must not go on before there is room for it, so that the bytes never exceed the limit and one charge.
      ImageScenario("ByteBudget: two tasks charge when there is room") { play in
        let budget = ByteBudget(limit: 0)
        let most = Gauge()
        for _ in 0..<2 {
          play.task {
            await budget.waitForRoom()
            let charge = budget.charge(1)
            most.enter()
            most.leave()
            withExtendedLifetime(charge) {}
          }
        }
        return {
          budget.byteCount == 0 && budget.waitingCount == 0 ? nil : "Q2: \(budget.byteCount) bytes are left"
        }
      },
    ]
  }

  private static func budget(_ name: String, charges: [Int], waiting: Int, cancels: Bool = false)
    -> ImageScenario
  {
    ImageScenario("ByteBudget: \(name)") { play in
      let budget = ByteBudget(limit: charges.count - 1)
      let log = Log<Bool>()
      // Without a cancellation, a task goes on only when there was room after it came.
      let released = Signal()
      var tasks: [Task<Void, Never>] = []
      for _ in 0..<waiting {
        tasks.append(
          play.task {
            await budget.waitForRoom()
            log.add(Task.isCancelled || released.isSet)
          })
      }
      for byteCount in charges {
        let charge = Slot(budget.charge(byteCount))
        play.thread {
          released.set()
          charge.value = nil
        }
      }
      if cancels { play.thread { tasks[0].cancel() } }
      return {
        if budget.byteCount != 0 || budget.waitingCount != 0 {
          return "Q2: \(budget.byteCount) bytes are left"
        }
        if log.entries.contains(false) { return "Q1: a task went on without room" }
        return log.entries.count == waiting ? nil : "Q3: \(log.entries.count) of \(waiting) have returned"
      }
    }
  }

  private static var hosts: [ImageScenario] {
    [
      host("two tasks of one host", ["a", "a"]),
      host("one leaves while others come", ["a", "a", "a"]),
      host("two hosts", ["a", "b", "a"]),
      host("a task is cancelled", ["a", "a"], cancelling: 1),
      host("a task is cancelled, and one behind it", ["a", "a", "a"], cancelling: 1),
    ]
  }

  private static func host(_ name: String, _ names: [String], cancelling: Int? = nil) -> ImageScenario {
    ImageScenario("HostQueues: \(name)") { play in
      let queues = HostQueues(width: 1)
      let gauges = ["a": Gauge(isExclusive: true), "b": Gauge(isExclusive: true)]
      let log = Log<Bool>()
      let tasks = names.map { name in
        let gauge = gauges[name]!
        return play.task {
          do throws(ImagePipeline.Error) {
            let place = try await value(of: queues.place(name, DynamicPriority(.normal)))
            gauge.enter()
            gauge.leave()
            place?.leave()
            log.add(true)
          } catch {
            log.add(false)
          }
        }
      }
      if let cancelling { play.thread { tasks[cancelling].cancel() } }
      return {
        if let gauge = gauges.values.first(where: { $0.most > 1 }) {
          return "Q1: \(gauge.most) at a time, of 1"
        }
        if queues.count != 0 { return "Q2: \(queues.count) hosts are left" }
        let failed = log.entries.count { !$0 }
        if failed > (cancelling == nil ? 0 : 1) { return "Q3: \(failed) are cancelled" }
        return log.entries.count == names.count ? nil : "Q3: \(log.entries.count) have returned"
      }
    }
  }

  private static var promises: [ImageScenario] {
    [
      promise("fulfilled while a task begins to wait", [1]),
      promise("fulfilled by two threads", [1, 2]),
      promise("fulfilled and cancelled", [1], cancels: true),
      promise("fulfilled by two threads and cancelled", [1, 2], cancels: true),
    ]
  }

  private static func promise(_ name: String, _ values: [Int], cancels: Bool = false) -> ImageScenario {
    ImageScenario("Promise: \(name)") { play in
      let promise = Promise<Int>()
      let log = Log<Int>()
      let task = play.task { log.add(await promise.value(ifCancelled: 0) {}) }
      for value in values { play.thread { promise.fulfil(value) } }
      if cancels { play.thread { task.cancel() } }
      return {
        guard let value = log.entries.first, log.entries.count == 1 else { return "Q3: \(log.entries)" }
        return values.contains(value) || cancels && value == 0 ? nil : "X05: \(value)"
      }
    }
  }
}

/// A reference that is let go of on a thread.
final class Slot<Value>: @unchecked Sendable {  // fibers share one thread
  var value: Value?
  init(_ value: Value?) { self.value = value }
}
