/// A figure, what it should be at least or at most, and how to say it in a line of many.
struct Row {
  let title: String
  let figure: String
  let goal: String
  let short: String

  var description: String { "\(title): \(figure) (goal: \(goal))" }
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted[sorted.count / 2]
}

func rounded(_ value: Double, _ digits: Double = 100) -> Double { (value * digits).rounded() / digits }

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

/// The time of a unit of work, in seconds: the median of nine rounds.
func time(of count: Int, _ work: () -> Void) -> Double {
  median((0..<9).map { _ in ContinuousClock().measure(work).inSeconds / Double(count) })
}
