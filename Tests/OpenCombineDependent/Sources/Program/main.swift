import Dispatch
import Foundation
import OpenCombine
import OpenCombineDispatch
import OpenCombineFoundation
import Second

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

typealias OtherScheduler = OpenCombine.Scheduler

final class Label {
  @OpenCombine.Published var text = "qualified"
}

// What OpenCombine spells in its own way.
final class Clock {
  let queue: DispatchQueue.OCombine
  var subscriptions = Set<AnyCancellable>()

  init(_ queue: DispatchQueue.OCombine) { self.queue = queue }

  func wait(for interval: DispatchQueue.OCombine.SchedulerTimeType.Stride) -> AnyPublisher<String, Never> {
    Just("the queue").delay(for: interval, scheduler: queue).eraseToAnyPublisher()
  }
}

func first<Upstream: Publisher>(of upstream: Upstream) -> Upstream.Output? where Upstream.Failure == Never {
  var value: Upstream.Output?
  let end = Date(timeIntervalSinceNow: 10)
  let subscription = upstream.first().sink { value = $0 }
  while value == nil, Date() < end {
    _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
  }
  subscription.cancel()
  return value
}

print(first(of: Clock(DispatchQueue.main.ocombine).wait(for: .milliseconds(1))) ?? "nothing")
print(first(of: Just("the run loop").receive(on: RunLoop.main.ocombine)) ?? "nothing")
print(first(of: Just("the operations").receive(on: OperationQueue.main.ocombine)) ?? "nothing")

let ticks: Timer.OCombine.TimerPublisher = Timer.OCombine.publish(every: 0.01, on: .main, in: .default)
print(first(of: ticks.autoconnect().map { _ in "the timer" }) ?? "nothing")

let name = Notification.Name("named")
var heard = [String]()
let notifications = NotificationCenter.default.ocombine.publisher(for: name).sink {
  heard.append($0.name.rawValue)
}
NotificationCenter.default.post(name: name, object: nil)
print(heard)

let task: URLSession.OCombine.DataTaskPublisher = URLSession.shared.ocombine.dataTaskPublisher(
  for: URL(string: "http://127.0.0.1/")!)
print(task.request.httpMethod ?? "")

var result: Int?
Result<Int, Never>.success(7).ocombine.publisher.sink { result = $0 }.cancel()
let optional: Optional<Int>.OCombine.Publisher = Optional(8).ocombine.publisher
optional.sink { print(result ?? 0, $0) }.cancel()

Label().$text.sink { print($0, DispatchQueue.main is any OtherScheduler) }.cancel()

// What OpenCombine lacks.
Just("x").combineLatest([1, 2].publisher.merge(with: [3].publisher)).collect().sink { print($0.count) }
  .cancel()

// The other package has the same types.
let counter = Counter()
var doubled = [Int]()
let values = counter.doubled.sink { doubled.append($0) }
counter.count((1...3).publisher)
print(doubled, counter.count)
