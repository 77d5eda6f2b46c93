internal import CInterleavings

/// A schedule as text: its bounds, and how many choices are the first one before each that is another, as a letter.
struct Replay: CustomStringConvertible {
  let bounds: interleavings_bounds
  let choices: [UInt8]

  /// The schedule that ran last.
  init(_ bounds: interleavings_bounds) {
    self.bounds = bounds
    var first: UnsafePointer<UInt8>?
    let count = interleavings_choices(&first)
    choices = Array(UnsafeBufferPointer(start: first, count: count))
  }

  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let numbers = parts[0].split(separator: ".").map { UInt32($0) }
    guard numbers.count == 4, let preemptions = numbers[0], let stale = numbers[1], let both = numbers[2],
      let steps = numbers[3]
    else { return nil }
    bounds = interleavings_bounds(preemptions: preemptions, stale: stale, both: both, steps: steps)
    var choices: [UInt8] = [], zeros = 0
    for byte in parts[1].utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        zeros = zeros * 10 + Int(byte - UInt8(ascii: "0"))
        if zeros > 100_000 { return nil }
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
        choices += repeatElement(0, count: zeros)
        choices.append(
          byte >= UInt8(ascii: "a") ? byte - UInt8(ascii: "a") + 1 : byte - UInt8(ascii: "A") + 27)
        zeros = 0
      default: return nil
      }
    }
    self.choices = choices
  }

  func begin() { choices.withUnsafeBufferPointer { interleavings_replay(bounds, $0.baseAddress, $0.count) } }

  var description: String {
    var text = "\(bounds.preemptions).\(bounds.stale).\(bounds.both).\(bounds.steps)-", zeros = 0
    for choice in choices {
      if choice == 0 {
        zeros += 1
      } else {
        if zeros > 0 { text += "\(zeros)" }
        let letter = choice < 27 ? UInt8(ascii: "a") + choice - 1 : UInt8(ascii: "A") + choice - 27
        text.unicodeScalars.append(Unicode.Scalar(letter))
        zeros = 0
      }
    }
    return text
  }
}
