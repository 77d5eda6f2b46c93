internal import CShards
import Interleavings

/// What is asked for on the command line.
struct Order {
  enum Task {
    case help, list, survey
    case replay(String, Schedule)
  }

  enum Extent {
    case everything
    case schedules(Int)
    case seconds(Double)
  }

  static let help = """
    Explore [--scenario NAME] [--seed SCHEDULE] [--preemptions N] [--random N | --seconds N] [--list]

      --scenario NAME    only scenarios whose names begin so; with --seed, the one that is called so
      --seed SCHEDULE    runs one schedule again, as a violation named it, and tells what happens
      --preemptions N    how often a fiber may be interrupted where it could go on; 2 unless said
      --random N         draws N schedules instead of running through all
      --seconds N        draws schedules for so long
      --list             names the scenarios
    """

  var task = Task.survey
  var scenario = ""
  var extent = Extent.everything
  var preemptions = 2
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
      guard let value = rest.popFirst() else { Self.refuse(option) }
      switch option {
      case "--scenario": scenario = value
      case "--preemptions": preemptions = Self.number(value, of: option)
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

  private static func refuse(_ what: String) -> Never {
    print("explore: what is \(what)? See --help.")
    cshards_exit(2)
    fatalError("The process goes on after its end.")
  }
}
