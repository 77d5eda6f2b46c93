/// What `Scripts/mutate` was asked for.
struct Options {
  var paths: [String] = []
  var sample: Int?
  var seed: UInt64 = 1
  var jobs = 2
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
  }

  private static func number(_ option: String, _ text: String?) throws(Unknown) -> Int {
    guard let number = text.flatMap({ Int($0) }), number >= 0 else {
      throw Unknown(description: "\(option) needs a number, see --help")
    }
    return number
  }
}
