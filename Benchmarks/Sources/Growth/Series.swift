/// One way in which work grows: the cost of one event should stay as it is, or grow by the same for each step.
struct Series: Sendable {
  let name: String
  let title: String
  /// What the cost of an event is divided by at `size`, to be told: 1, or the size.
  let share: @Sendable (_ size: Int) -> Int
  let sizes: [Int]
  /// How many events the two runs have whose difference is measured.
  let events: @Sendable (_ size: Int) -> (low: Int, high: Int)
  let run: @Sendable (_ size: Int, _ events: Int) -> Int
}

let depths = [1, 2, 4, 8, 16, 32, 48, 64]
let powersOfTen = [1, 10, 100, 1000, 10_000, 100_000]

/// A row for each point. Its counts are 1 and 2: for the few events of its series, and for the many.
func rows(of series: [Series]) -> [Row] {
  series.flatMap { line in
    line.sizes.map { size in
      let (low, high) = line.events(size)
      let title = [line.name, "\(size)", "\(high - low)", "\(line.share(size))", line.title]
      return Row("\(line.name)-\(size)", title.joined(separator: "\t")) { count in
        line.run(size, count > 1 ? high : low)
      }
    }
  }
}
