/// Bytes as steps: what random numbers and fuzzers make, any bytes whatever, is a script.
public enum StepCodec {
  /// The steps in `bytes`, two bytes each: what it is, and of what. An odd byte at the end is a step of zero.
  public static func steps(_ bytes: some Collection<UInt8>) -> [Step] {
    var steps: [Step] = []
    steps.reserveCapacity((bytes.count + 1) / 2)
    var rest = bytes.makeIterator()
    while let code = rest.next() { steps.append(step(code, Int(rest.next() ?? 0))) }
    return steps
  }

  /// `count` steps, each as likely as its share of the codes.
  public static func steps<Numbers: RandomNumberGenerator>(
    _ count: Int, from numbers: inout Numbers
  ) -> [Step] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(2 * count)
    while bytes.count < 2 * count {
      var word: UInt64 = numbers.next()
      for _ in 0..<8 {
        bytes.append(UInt8(truncatingIfNeeded: word))
        word >>= 8
      }
    }
    return steps(bytes.prefix(2 * count))
  }

  private static func step(_ code: UInt8, _ operand: Int) -> Step {
    let (low, high) = (operand & 7, operand >> 3)
    switch code & 31 {
    case 0...10: return .line(low, .value(high & 7))
    case 11: return .line(low, .finish)
    case 12: return .line(low, .fail)
    case 13...16: return .request(high & 3, ask(low))
    case 17: return .cancel(low)
    case 18: return .join
    case 19...22: return .advance(low)
    case 23: return .onDelivery(.request(ask(low)))
    case 24, 25: return .onDelivery(.answer(ask(low)))
    case 26: return .onDelivery(.line(low, .value(high & 7)))
    case 27: return .onDelivery(rare(low, high))
    case 28, 29: return .onRequest(.value(high & 7))
    case 30: return .onRequest(signal(low, high))
    default: return .onSubscription(signal(low, high))
    }
  }

  private static func ask(_ operand: Int) -> Ask { operand < 7 ? .some(max(1, operand / 2)) : .all }

  private static func signal(_ operand: Int, _ value: Int) -> Signal {
    switch operand {
    case 0...3: .value(value & 7)
    case 4, 5: .finish
    default: .fail
    }
  }

  private static func rare(_ low: Int, _ high: Int) -> Reaction {
    switch high & 7 {
    case 0...2: .cancel
    case 3, 4: .line(low, .finish)
    case 5, 6: .line(low, .fail)
    default: .join
    }
  }
}
