import Foundation

/// What `Scripts/mutate` was asked for.
struct Options {
  var paths: [String] = []
  var sample: Int?
  var seed: UInt64 = 1
  var jobs = 2
  var minutes: Int?
  var isDaily = false
  var isStrict = false
  var lists = false
  var root = "."

  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: [String]) throws(Unknown) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--sample": sample = try Self.number(argument, rest.popFirst())
      case "--seed": seed = UInt64(try Self.number(argument, rest.popFirst()))
      case "--jobs": jobs = max(1, try Self.number(argument, rest.popFirst()))
      case "--minutes": minutes = try Self.number(argument, rest.popFirst())
      case "--daily": isDaily = true
      case "--strict": isStrict = true
      case "--list": lists = true
      case "--root": root = rest.popFirst() ?? "."
      default:
        guard !argument.hasPrefix("-") else {
          throw Unknown(description: "there is no option \(argument), see --help")
        }
        paths.append(argument.hasSuffix("/") ? String(argument.dropLast()) : argument)
      }
    }
    if isDaily { draw(on: Date()) }
  }

  /// What the gate tries on a day: forty mutants of one of the groups, which take turns.
  private mutating func draw(on date: Date) {
    let day = Int(date.timeIntervalSince1970 / 86_400)
    let groups = Plan.targets.reduce(into: [String]()) { groups, target in
      if target.weight > 0, !groups.contains(target.group) { groups.append(target.group) }
    }
    let group = groups[day % groups.count]
    paths = Plan.targets.filter { $0.group == group }.map(\.folder)
    sample = sample ?? 40
    minutes = minutes ?? 4
    seed = UInt64(day)
  }

  private static func number(_ option: String, _ text: String?) throws(Unknown) -> Int {
    guard let number = text.flatMap({ Int($0) }), number >= 0 else {
      throw Unknown(description: "\(option) needs a number, see --help")
    }
    return number
  }
}
