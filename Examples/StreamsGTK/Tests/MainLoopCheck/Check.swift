import CGLib
import Dispatch
import Foundation
import Streams
import StreamsExtras
import StreamsFoundation
import StreamsGLib

/// Something that must work while GLib runs the loop.
struct Check {
  let name: String
  let body: @MainActor (Run) -> Void

  @MainActor static let all = [
    Check(name: "a task of the main actor") { run in
      run.activated = {
        Task {
          let sum = await Task.detached { 20 + 22 }.value
          run.end(sum, are: 42)
        }
      }
    },
    Check(name: "a closure of the main actor, for values from elsewhere") { run in
      let numbers = PassthroughSubject<Int, Never>()
      var received: [Int] = []
      numbers.prefix(3).sink { _ in
        run.end(received, are: [1, 2, 3])
      } receiveValue: {
        received.append($0)
      }
      .store(in: &run.subscriptions)
      DispatchQueue.global().async { for number in 1...5 { numbers.send(number) } }
    },
    Check(name: "receive(on: DispatchQueue.main)") { run in
      var received: [Int] = []
      (1...1_000).publisher.subscribe(on: DispatchQueue.global()).receive(on: DispatchQueue.main)
        .sink { _ in
          run.end(received, are: Array(1...1_000))
        } receiveValue: {
          received.append($0)
        }
        .store(in: &run.subscriptions)
    },
    Check(name: "receive(on: MainActor.self)") { run in
      (1...3).publisher.subscribe(on: DispatchQueue.global()).receive(on: MainActor.self).collect()
        .sink { run.end($0, are: [1, 2, 3]) }
        .store(in: &run.subscriptions)
    },
    Check(name: "receive(on: RunLoop.main)") { run in
      (1...3).publisher.subscribe(on: DispatchQueue.global()).receive(on: RunLoop.main).collect()
        .sink { run.end($0, are: [1, 2, 3]) }
        .store(in: &run.subscriptions)
    },
    Check(name: "a timer of the main run loop") { run in
      Timer.publish(every: 0.005, on: .main, in: .common).autoconnect().prefix(3).count()
        .sink { run.end($0, are: 3) }
        .store(in: &run.subscriptions)
    },
    Check(name: "delays on the main queue") { run in
      let start = ContinuousClock.now
      Just(1).delay(for: .milliseconds(20), scheduler: DispatchQueue.main)
        .sink { run.end([$0, ContinuousClock.now - start >= .milliseconds(20) ? 1 : 0], are: [1, 1]) }
        .store(in: &run.subscriptions)
    },
    Check(name: "what waited before the loop began") { run in
      var order: [Int] = []
      for number in 1...3 { DispatchQueue.main.async { MainActor.assumeIsolated { order.append(number) } } }
      DispatchQueue.main.async { MainActor.assumeIsolated { run.end(order, are: [1, 2, 3]) } }
    },
    Check(name: "the scheduler of the default context") { run in
      (1...3).publisher.subscribe(on: DispatchQueue.global()).receive(on: GMainContextScheduler.main)
        .delay(for: .milliseconds(5), scheduler: GMainContextScheduler.main).collect()
        .sink { run.end($0, are: [1, 2, 3]) }
        .store(in: &run.subscriptions)
    },
    Check(name: "drawing, beside a main actor that never rests") { run in
      run.activated = {
        Flood.begin()
        GMainContextScheduler(priority: MainQueueSource.defaultPriority)
          .count(to: 100) { run.end(Flood.count >= 99, "\(Flood.count) turns of the main actor") }
          .store(in: &run.subscriptions)
      }
    },
    Check(name: "the main actor, beside drawing that never rests") { run in
      run.activated = {
        GMainContextScheduler(priority: MainQueueSource.defaultPriority)
          .count(to: .max) {}
          .store(in: &run.subscriptions)
        Flood.begin { if Flood.count == 100 { run.end() } }
      }
    },
    Check(name: "a nested loop in a handler") { run in
      run.activated = {
        var isServed = false
        DispatchQueue.main.async { MainActor.assumeIsolated { isServed = true } }
        while !isServed { g_main_context_iteration(nil, 1) }
        run.end()
      }
    },
    Check(name: "a nested loop in work of the main queue") { run in
      // The work that comes is left for later, and no turn of the loop is wasted on it.
      DispatchQueue.main.async {
        MainActor.assumeIsolated {
          var order = ["nested"]
          DispatchQueue.main.async { MainActor.assumeIsolated { run.end(order, are: ["nested", "done"]) } }
          while g_main_context_iteration(nil, 0) != 0 {}
          order.append("done")
        }
      }
    },
    Check(name: "a loop without work, which sleeps") { run in
      run.activated = {
        // The first wait that has no end: nothing is polled for.
        Polls.watch { run.end() }
      }
    },
    Check(name: "nothing, once it was cancelled") { run in
      run.activated = {
        run.mainQueue?.cancel()
        var isServed = false
        DispatchQueue.main.async { MainActor.assumeIsolated { isServed = true } }
        while g_main_context_iteration(nil, 0) != 0 {}
        let wasServed = isServed
        run.mainQueue = MainQueueSource.attach()
        DispatchQueue.main.async {
          MainActor.assumeIsolated { run.end([wasServed, isServed], are: [false, true]) }
        }
      }
    },
    Check(name: "signals as publishers") { run in
      run.activated = {
        let action = g_simple_action_new("save", nil)
        let signal = signals(of: UnsafeMutableRawPointer(action!), named: "notify::enabled")
        var count = 0
        let subscription = signal.sink { count += 1 }
        for enabled in [0, 1, 0] { g_simple_action_set_enabled(action, gboolean(enabled)) }
        subscription.cancel()
        g_simple_action_set_enabled(action, 1)
        g_object_unref(UnsafeMutableRawPointer(action!))
        run.end(count, are: 3)
      }
    },
    Check(name: "signals of an object that was disposed before their subscription was cancelled") { run in
      run.activated = {
        let action = UnsafeMutableRawPointer(g_simple_action_new("save", nil)!)
        let subscription = signals(of: action, named: "notify::enabled").sink {}
        Complaints.watch()
        g_object_run_dispose(action.assumingMemoryBound(to: GObject.self))
        subscription.cancel()
        g_object_unref(action)
        run.end(Complaints.count, are: 0)
      }
    },
  ]
}

/// Work of the main queue that always queues more.
@MainActor
enum Flood {
  private(set) static var count = 0

  static func begin(_ each: @escaping @MainActor () -> Void = {}) {
    DispatchQueue.main.async {
      MainActor.assumeIsolated {
        count += 1
        each()
        begin(each)
      }
    }
  }
}

extension GMainContextScheduler {
  /// Takes so many turns of the loop, each scheduled by the one before it.
  @MainActor
  func count(to end: Int, _ done: @escaping @MainActor () -> Void) -> AnyCancellable {
    var turns = 0
    let repetition = schedule(after: now, interval: .zero) {
      MainActor.assumeIsolated {
        turns += 1
        if turns == end { done() }
      }
    }
    return AnyCancellable(repetition)
  }
}

/// Counts the warnings of GLib.
@MainActor
enum Complaints {
  private(set) static var count = 0

  static func watch() {
    g_log_set_writer_func(
      { level, _, _, _ in
        if level.rawValue & (G_LOG_LEVEL_WARNING.rawValue | G_LOG_LEVEL_CRITICAL.rawValue) != 0 {
          MainActor.assumeIsolated { Complaints.count += 1 }
        }
        return G_LOG_WRITER_HANDLED
      }, nil, nil)
  }
}

/// Watches how long the loop is willing to wait.
@MainActor
enum Polls {
  private static var found: (() -> Void)?

  static func watch(_ found: @escaping () -> Void) {
    self.found = found
    g_main_context_set_poll_func(nil) { descriptors, count, timeout in
      guard timeout < 0 || timeout > 10_000 else { return g_poll(descriptors, count, timeout) }
      MainActor.assumeIsolated { Polls.found?() }
      return 0
    }
  }
}
