import Streams
import StreamsTesting
import Testing

@Suite("`RestartableTimer`", .leavesNothing)
struct RestartableTimerTests {
  private let scheduler = ManualScheduler()
  private let timer: RestartableTimer<ManualScheduler>
  private let rings = Recorder<String, Never>()

  init() { timer = RestartableTimer(on: scheduler, options: nil) }

  @Test("A timer rings once, and takes its action back from the scheduler")
  func once() {
    set("ring")

    let early = scheduler.actions[0].isCancelled
    for _ in 0..<2 { scheduler.actions[0].run() }

    #expect(!early)
    #expect(rings.values == ["ring"])
    #expect(scheduler.actions[0].isCancelled)
  }

  @Test("A repeating timer rings each time, until it is cancelled")
  func repeats() {
    set("ring", repeats: true)

    for _ in 0..<2 { scheduler.actions[0].run() }
    let early = scheduler.actions[0].isCancelled
    timer.cancel()
    scheduler.actions[0].run()

    #expect(!early)
    #expect(scheduler.actions[0].isCancelled)
    #expect(rings.values == ["ring", "ring"])
  }

  @Test(
    "A timer that is set again takes back the first action, which rings no more", arguments: [false, true])
  func again(_ repeats: Bool) {
    set("first", repeats: repeats)
    set("second", repeats: repeats)

    for action in scheduler.actions { action.run() }

    #expect(scheduler.actions.map(\.isCancelled) == [true, !repeats])
    #expect(rings.values == ["second"])
    timer.cancel()
  }

  @Test("A cancelled timer rings only once it is set again")
  func cancelled() {
    set("first")
    timer.cancel()
    timer.cancel()
    scheduler.actions[0].run()
    set("second")
    for action in scheduler.actions { action.run() }

    #expect(scheduler.actions.map(\.isCancelled) == [true, true])
    #expect(rings.values == ["second"])
  }

  @Test("A timer takes its action back if it is cancelled while the scheduler accepts the action")
  func cancelledMeanwhile() {
    scheduler.onSchedule = { [timer] _ in timer.cancel() }

    set("ring")
    scheduler.actions[0].run()

    #expect(scheduler.actions[0].isCancelled)
    #expect(rings.values == [])
    scheduler.onSchedule = nil
  }

  @Test("A timer keeps the second action if it is set while the scheduler accepts the first")
  func setMeanwhile() {
    scheduler.onSchedule = { [timer, scheduler, rings] _ in
      scheduler.onSchedule = nil
      timer.set(after: 2) { _ = rings.receive("second") }
    }

    set("first")
    let kept = scheduler.actions.map { !$0.isCancelled }
    for action in scheduler.actions { action.run() }

    // The action of the second call is the first that the scheduler notes.
    #expect(scheduler.actions.map(\.date.elapsed) == [2, 1])
    #expect(kept == [true, false])
    #expect(rings.values == ["second"])
  }

  @Test("A timer that rings while the scheduler accepts the action takes it back, unless it repeats")
  func ringsMeanwhile() {
    scheduler.onSchedule = { $0.run() }

    set("once")
    set("repeats", repeats: true)
    let cancelled = scheduler.actions.map(\.isCancelled)
    timer.cancel()

    #expect(rings.values == ["once", "repeats"])
    #expect(cancelled == [true, false])
    #expect(scheduler.actions[1].isCancelled)
  }

  @Test("A released timer rings no more, and takes its action back")
  func released() {
    var timer: RestartableTimer<ManualScheduler>? = RestartableTimer(on: scheduler, options: nil)
    timer?.set(after: 1, repeats: true) { [rings] in _ = rings.receive("ring") }

    timer = nil
    scheduler.actions[0].run()

    #expect(rings.values == [])
    #expect(scheduler.actions[0].isCancelled)
    #expect(timer == nil)
  }

  @Test("A timer asks for its interval from now, with the scheduler's tolerance unless it is given one")
  func dates() {
    scheduler.now = VirtualTime(10)

    timer.set(after: 3) {}
    timer.set(after: 4, tolerance: 2) {}
    timer.cancel()

    #expect(scheduler.actions.map(\.date.elapsed) == [13, 14])
    #expect(scheduler.actions.map(\.interval) == [3, 4])
    #expect(scheduler.actions.map(\.tolerance) == [0.5, 2])
  }

  private func set(_ name: String, repeats: Bool = false) {
    timer.set(after: 1, repeats: repeats) { [rings] in _ = rings.receive(name) }
  }
}

/// Runs nothing by itself, and cannot take back an action that does not repeat.
private final class ManualScheduler: Scheduler {
  final class Action: Cancellable {
    let date: VirtualTime
    let interval, tolerance: VirtualTime.Stride
    let run: () -> Void
    private(set) var isCancelled = false

    init(
      _ date: VirtualTime, _ interval: VirtualTime.Stride, _ tolerance: VirtualTime.Stride,
      _ run: @escaping () -> Void
    ) {
      (self.date, self.interval, self.tolerance, self.run) = (date, interval, tolerance, run)
    }

    func cancel() { isCancelled = true }
  }

  private(set) var actions: [Action] = []
  /// Called before the caller has the means to cancel.
  var onSchedule: ((Action) -> Void)?
  var now = VirtualTime()
  let minimumTolerance: VirtualTime.Stride = 0.5

  func schedule(options _: Never?, _: @escaping () -> Void) { Issue.record("it is not asked for this") }

  func schedule(
    after _: VirtualTime, tolerance _: VirtualTime.Stride, options _: Never?, _: @escaping () -> Void
  ) {
    Issue.record("it is not asked for this")
  }

  func schedule(
    after date: VirtualTime, interval: VirtualTime.Stride, tolerance: VirtualTime.Stride, options _: Never?,
    _ action: @escaping () -> Void
  ) -> any Cancellable {
    let action = Action(date, interval, tolerance, action)
    onSchedule?(action)
    actions.append(action)
    return action
  }
}
