import Foundation

/// A figure, what it should be at least or at most, and how to say it in a line of many.
struct Row {
  let title: String
  let figure: String
  let goal: String
  let short: String

  var description: String { "\(title): \(figure) (goal: \(goal))" }
}

/// Several rounds that take turns with another's.
struct Race {
  private(set) var rounds: [Double] = []
  /// Of all processors, for the whole process, in the best round.
  private(set) var processorSeconds = Double.infinity

  /// Of the best round: what else goes on makes a round slower, and never faster.
  var seconds: Double { rounds.min() ?? .infinity }

  /// How fast it is, as a part of another's speed: the median of the rounds, each compared with the other's that ran next to
  /// it, when the machine was as fast.
  func speed(against other: Race) -> Double {
    let ratios = zip(rounds, other.rounds).map { $1 / $0 }.sorted()
    return ratios.isEmpty ? .nan : ratios[ratios.count / 2]
  }

  mutating func run(_ round: () throws -> Double) rethrows {
    let before = Self.processorTime
    rounds.append(try round())
    processorSeconds = min(processorSeconds, Self.processorTime - before)
  }

  mutating func run(_ round: () async throws -> Double) async rethrows {
    let before = Self.processorTime
    rounds.append(try await round())
    processorSeconds = min(processorSeconds, Self.processorTime - before)
  }

  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

func rounded(_ value: Double, _ digits: Double = 100) -> Double { (value * digits).rounded() / digits }

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// The time of a unit of work, in seconds: of the best of fifteen rounds.
func time(of count: Int, _ work: () -> Void) -> Double {
  (0..<15).map { _ in ContinuousClock().measure(work).inSeconds / Double(count) }.min() ?? .infinity
}
