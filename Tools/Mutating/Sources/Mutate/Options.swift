import Foundation

/// What `Scripts/mutate` was asked for.
struct Options {
  var paths: [String] = []
  var sample: Int?
  /// Each draws a sample of its own. They are built and tried together.
  var seeds: [UInt64] = []
  var jobs = 2
  var minutes: Int?
  var isStrict = false
  var decided = Decided.no
  var lists = false
  var root = "."

  /// What is done with the files of `Decided.tsv`.
  enum Decided { case no, changed, daily, noted }

  struct Unknown: Error, CustomStringConvertible {
    let description: String
  }

  init(_ arguments: [String]) throws(Unknown) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--sample": sample = try Self.number(argument, rest.popFirst())
      case "--seed": seeds.append(UInt64(try Self.number(argument, rest.popFirst())))
      case "--jobs": jobs = max(1, try Self.number(argument, rest.popFirst()))
      case "--minutes": minutes = try Self.number(argument, rest.popFirst())
      case "--decided": decided = .changed
      case "--daily": decided = .daily
      case "--decide": decided = .noted
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
    if decided == .changed || decided == .daily { isStrict = true }
    if decided == .daily {
      sample = sample ?? 40
      minutes = minutes ?? 4
      seeds = [UInt64(Date().timeIntervalSince1970 / 86_400)]
    }
    if seeds.isEmpty { seeds = [1] }
  }

  private static func number(_ option: String, _ text: String?) throws(Unknown) -> Int {
    guard let number = text.flatMap({ Int($0) }), number >= 0 else {
      throw Unknown(description: "\(option) needs a number, see --help")
    }
    return number
  }
}
