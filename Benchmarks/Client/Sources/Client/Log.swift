#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// What happened, in batches, for those who look for faults.
final class Log {
  nonisolated(unsafe) static let shared = Log()  // it is used on the main thread only

  private let entries = PassthroughSubject<String, Never>()
  private var subscriptions = Set<AnyCancellable>()
  private(set) var batches: [[String]] = []
  private(set) var count = 0

  init() {
    entries
      .filter { !$0.isEmpty }
      .collect(4)
      .sink { [unowned self] in batches.append($0) }
      .store(in: &subscriptions)
    entries
      .scan(0) { count, _ in count + 1 }
      .sink { [unowned self] in count = $0 }
      .store(in: &subscriptions)
  }

  func note(_ entry: String) {
    entries.send(entry)
  }
}
