import Dispatch
import GraphSchedulers
import Streams
import StreamsFoundation

final class Model {
  private let scheduler: AnySchedulerOf<DispatchQueue>

  init(_ scheduler: AnySchedulerOf<DispatchQueue>) { self.scheduler = scheduler }

  func total(_ numbers: [Int]) -> Int {
    var total = 0
    numbers.publisher.receive(on: scheduler).sink { total += $0 }.cancel()
    return total
  }
}

func schedulers() {
  print("schedulers:", Model(.immediate).total([1, 2, 3]), UIScheduler.shared.name)
  print(
    "erased:", type(of: DispatchQueue.immediate.eraseToAnyScheduler()) == AnySchedulerOf<DispatchQueue>.self)
}
