import Interleavings

/// One schedule of one scenario, step by step.
struct Replay {
  private let name: String
  private let schedule: Schedule
  private let order: Order

  init(_ name: String, _ schedule: Schedule, _ order: Order) {
    self.name = name
    self.schedule = schedule
    self.order = order
  }

  /// True if nothing goes wrong.
  func run() -> Bool {
    guard let trial = Trial.all.first(where: { $0.name == name }) else {
      print("explore: no scenario is called \(name). See --list.")
      return false
    }
    let explorer = Explorer.shared
    trial.warmUp()
    explorer.weakening = order.weakening
    explorer.begin(schedule, order.bounds)
    explorer.record()
    if case .seed(let seed, _) = schedule { trial.play(seed: seed) } else { trial.play() }
    for line in explorer.story { print(line) }
    print(explorer.violation ?? "nothing went wrong")
    return explorer.violation == nil
  }
}
