internal import CShards
import Foundation
import Interleavings

/// What is asked for on the command line.
struct Order {
  enum Task {
    case help, list, survey, weakenings
    case replay(String, Schedule)
  }

  enum Extent {
    case everything
    case schedules(Int)
    case seconds(Double)
  }

  static let help = """
    Explore [--scenario NAME] [--part K/N] [--seed SCHEDULE] [--preemptions N] [--stale N] [--both N]
            [--first] [--weaken ORDER] [--random N | --seconds N] [--list]

      --scenario NAME    only scenarios whose names begin so; with --seed, the one that is called so
      --part K/N         of them, every N-th one, beginning with the one of number K, which is less than N
      --seed SCHEDULE    runs one schedule again, as a violation named it, and tells what happens
      --preemptions N    how often a fiber may be interrupted where it could go on; 2 unless given
      --stale N          how often an access may take an older store than the newest; 2 unless given
      --both N           how many of both there may be together; 2 unless given
      --weaken ORDER     weakens one memory order: its number, and a, r or nothing for what is left of it
      --orders PLACE     weakens each order whose place contains this, and tells which are found
      --settled FILE     with --orders, a list of those that need not be found
      --random N         draws N schedules instead of running through all
      --seconds N        draws schedules for so long
      --first            begins no other scenario after a violation
      --list             names the scenarios
    """

  var task = Task.survey
  var scenario = ""
  /// Every `count`-th scenario, from the one of this number on.
  var part = (number: 0, count: 1)
  var extent = Extent.everything
  var bounds = Bounds(preemptions: 2, stale: 2, both: 2)
  var isFirstEnough = false
  var weakening: Weakening?
  /// Part of the places whose orders are weakened.
  var mutants = ""
  /// Orders that no scenario needs, and yet are not weakened. Why, is written beside them.
  var settled: [SettledOrder] = []
  var seed: UInt64 = 1

  init(_ arguments: ArraySlice<String>) {
    var rest = arguments
    var schedule: Schedule?
    while let option = rest.popFirst() {
      if option == "--help" || option == "-h" {
        task = .help
        return
      }
      if option == "--list" {
        task = .list
        continue
      }
      if option == "--first" {
        isFirstEnough = true
        continue
      }
      guard let value = rest.popFirst() else { Self.refuse(option) }
      switch option {
      case "--scenario": scenario = value
      case "--part": part = Self.part(value)
      case "--preemptions": bounds.preemptions = Self.number(value, of: option)
      case "--stale": bounds.stale = Self.number(value, of: option)
      case "--both": bounds.both = Self.number(value, of: option)
      case "--orders":
        task = .weakenings
        mutants = value
      case "--settled": settled = Self.settled(value)
      case "--weaken": weakening = Self.weakening(value)
      case "--random": extent = .schedules(Self.number(value, of: option))
      case "--seconds": extent = .seconds(Double(Self.number(value, of: option)))
      case "--seed":
        if let number = UInt64(value) { seed = number } else { schedule = Schedule(value) }
        if UInt64(value) == nil, schedule == nil { Self.refuse(value) }
      default: Self.refuse(option)
      }
    }
    if let schedule { task = .replay(scenario, schedule) }
  }

  private static func number(_ text: String, of option: String) -> Int {
    guard let number = Int(text), number >= 0 else { refuse("\(option) \(text)") }
    return number
  }

  private static func part(_ text: String) -> (number: Int, count: Int) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1], 0..<count ~= number else {
      refuse("--part \(text)")
    }
    return (number, count)
  }

  private static func settled(_ path: String) -> [SettledOrder] {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { refuse(path) }
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard fields.count == 4, fields.allSatisfy({ !$0.isEmpty }) else { refuse(String(line)) }
      return SettledOrder(path: fields[0], text: fields[1], change: fields[2])
    }
  }

  private static func weakening(_ text: String) -> Weakening {
    let left = text.drop { $0.isNumber }
    guard let number = Int(text.prefix { $0.isNumber }), ["", "a", "r"].contains(left) else { refuse(text) }
    return Weakening(site: number, acquires: left == "a", releases: left == "r")
  }

  private static func refuse(_ what: String) -> Never {
    print("explore: what is \(what)? See --help.")
    cshards_exit(2)
    fatalError("The process goes on after its end.")
  }
}

/// A line of the list of weakenings that need not be found.
struct SettledOrder {
  let path: String
  /// The line of the source, without the spaces around it.
  let text: String
  let change: String
}
