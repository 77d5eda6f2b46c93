/// Makes a script that fails as short as it gets: leaves out steps, and makes those that are left simpler.
public enum Shrinking {
  /// - Parameter fails: Whether a script still shows the fault.
  public static func shortest(_ steps: [Step], where fails: ([Step]) -> Bool) -> [Step] {
    var steps = steps
    var before: [Step]
    repeat {
      before = steps
      steps = withoutParts(steps, fails)
      steps = simplified(steps, fails)
    } while steps != before
    return steps
  }

  /// Delta debugging: leaves out halves, quarters and so on, down to single steps.
  private static func withoutParts(_ steps: [Step], _ fails: ([Step]) -> Bool) -> [Step] {
    var steps = steps
    var size = max(1, steps.count / 2)
    while true {
      var start = 0
      while start < steps.count {
        var rest = steps
        rest.removeSubrange(start..<min(start + size, steps.count))
        if fails(rest) { steps = rest } else { start += size }
      }
      if size == 1 { return steps }
      size /= 2
    }
  }

  private static func simplified(_ steps: [Step], _ fails: ([Step]) -> Bool) -> [Step] {
    var steps = steps
    for index in steps.indices {
      for simpler in steps[index].simpler where simpler != steps[index] {
        var changed = steps
        changed[index] = simpler
        if fails(changed) {
          steps = changed
          break
        }
      }
    }
    return steps
  }
}

extension Step {
  /// Steps to be tried in place of this one, the simplest first.
  fileprivate var simpler: [Step] {
    switch self {
    case .line(let line, let signal):
      signal.simpler.map { .line(0, $0) } + (0...line).map { .line($0, signal) }
    case .request(_, let ask): ask.simpler.map { .request(0, $0) } + [.request(0, ask)]
    case .cancel: [.cancel(0)]
    case .join: []
    case .advance(let seconds): (0...seconds).map { .advance($0) }
    case .onDelivery(.request(let ask)):
      [.request(0, ask)] + ask.simpler.map { .onDelivery(.request($0)) }
    case .onDelivery(.answer(let ask)):
      [.request(0, ask)] + ask.simpler.map { .onDelivery(.answer($0)) }
    case .onDelivery(.line(let line, let signal)):
      [.line(line, signal)] + (0...line).map { .onDelivery(.line($0, signal)) }
    case .onDelivery(.cancel): [.cancel(0)]
    case .onDelivery(.join): [.join]
    case .onRequest(let signal), .onSubscription(let signal): [.line(0, signal)]
    }
  }
}

extension Signal {
  fileprivate var simpler: [Signal] {
    if case .value(let value) = self, value > 0 { (0..<value).map { .value($0) } } else { [] }
  }
}

extension Ask {
  fileprivate var simpler: [Ask] {
    switch self {
    case .some(let count): (1..<max(2, count)).map { .some($0) }
    case .all: [.some(1), .some(2)]
    }
  }
}
