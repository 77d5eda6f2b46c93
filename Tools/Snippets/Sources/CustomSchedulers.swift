import Foundation
import Streams
import StreamsFoundation

/// Time that goes by when told to, as tests of apps have it.
final class TestScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = Never

  private(set) var now = SchedulerTimeType(DispatchTime(uptimeNanoseconds: 1))
  let minimumTolerance = SchedulerTimeType.Stride.zero
  private var work: [(id: Int, date: SchedulerTimeType, action: () -> Void)] = []
  private var lastID = 0

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    add(after: now, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    add(after: date, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let id = lastID + 1
    func again(at date: SchedulerTimeType) {
      add(after: date, id: id) {
        again(at: date.advanced(by: interval))
        action()
      }
    }
    again(at: date)
    return AnyCancellable { [weak self] in self?.work.removeAll { $0.id == id } }
  }

  func advance(by stride: SchedulerTimeType.Stride) {
    let end = now.advanced(by: stride)
    while let next = work.min(by: { $0.date < $1.date }), next.date <= end {
      now = next.date
      work.remove(at: work.firstIndex { $0.id == next.id && $0.date == next.date }!)
      next.action()
    }
    now = end
  }

  private func add(after date: SchedulerTimeType, id: Int? = nil, _ action: @escaping () -> Void) {
    lastID += 1
    work.append((id ?? lastID, date, action))
  }
}

/// Runs at once if it is on main already.
struct MainScheduler: Scheduler {
  typealias SchedulerTimeType = DispatchQueue.SchedulerTimeType
  typealias SchedulerOptions = DispatchQueue.SchedulerOptions

  var now: SchedulerTimeType { DispatchQueue.main.now }
  var minimumTolerance: SchedulerTimeType.Stride { DispatchQueue.main.minimumTolerance }

  func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    if Thread.isMainThread { action() } else { DispatchQueue.main.schedule(options: options, action) }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    DispatchQueue.main.schedule(after: date, tolerance: tolerance, options: options, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    DispatchQueue.main.schedule(
      after: date, interval: interval, tolerance: tolerance, options: options, action)
  }
}

@MainActor
func customSchedulers() async {
  var cancellables = Set<AnyCancellable>()
  let clock = TestScheduler()
  let keys = PassthroughSubject<String, Never>()
  keys.debounce(for: .milliseconds(300), scheduler: clock)
    .sink { print("debounced:", $0) }
    .store(in: &cancellables)
  keys.throttle(for: .seconds(1), scheduler: clock, latest: true)
    .sink { print("throttled:", $0) }
    .store(in: &cancellables)
  keys.delay(for: .seconds(2), scheduler: clock).sink { print("delayed:", $0) }.store(in: &cancellables)
  for key in ["a", "ab", "abc"] {
    keys.send(key)
    clock.advance(by: .milliseconds(200))
  }
  clock.advance(by: .seconds(1))
  print("two seconds later")
  clock.advance(by: .seconds(1))

  clock.schedule(after: clock.now, interval: .seconds(1)) { print("tick") }.store(in: &cancellables)
  clock.advance(by: .milliseconds(2500))
  cancellables.removeAll()
  clock.advance(by: .seconds(5))

  var isOver = false
  let now = Just("now").receive(on: MainScheduler()).sink { value in
    print(value, "and at once: \(!isOver)")
  }
  isOver = true
  now.cancel()
}
