import Foundation

/// What the command line says.
struct Options {
  static let usage = """
    FarOutDesktop [options]    shows images from a server on this machine in a window

      --count NUMBER     how many images there are (2000)
      --folder DIR       where the images, the cache and collages are kept (.build/far-out)
      --library DIR      where collages are saved instead
      --memory MIB       the limit of the cache in memory (64)
      --log FILE         writes what happens, one JSON object in a line
      --trace FILE       writes a trace of all streams and images, for ui.perfetto.dev
      --inspect          serves a page of all living streams on this machine, and prints its address
      --watch            compares what each cell shows with its item, at each frame
      --measure          scrolls by itself, prints how smooth that was, and ends
      --scrolls NUMBER   how many random scrolls there are then (1000)
      --help             only says this
    """

  struct Mistake: Error {
    let message: String
  }

  var count = 2_000
  var folder = URL(filePath: ".build/far-out")
  var library: URL?
  var memoryLimit = 64 << 20
  var log: URL?
  var trace: URL?
  var inspects = false
  var watches = false
  var measures = false
  var scrolls = 1_000
  var wantsHelp = false

  init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--trace": trace = try Self.path(rest.popFirst(), word)
      case "--inspect": inspects = true
      case "--watch": watches = true
      case "--measure": measures = true
      case "--scrolls": scrolls = try Self.number(rest.popFirst(), 0...100_000, word)
      case "--count": count = try Self.number(rest.popFirst(), 1...100_000, word)
      case "--memory": memoryLimit = try Self.number(rest.popFirst(), 1...4_096, word) << 20
      case "--folder": folder = try Self.path(rest.popFirst(), word)
      case "--library": library = try Self.path(rest.popFirst(), word)
      case "--log": log = try Self.path(rest.popFirst(), word)
      default: throw Mistake(message: "There is no option \(word)")
      }
    }
  }

  private static func number(_ text: String?, _ range: ClosedRange<Int>, _ word: String) throws(Mistake)
    -> Int
  {
    guard let number = text.flatMap({ Int($0) }), range.contains(number) else {
      throw Mistake(message: "\(word) takes a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  private static func path(_ text: String?, _ word: String) throws(Mistake) -> URL {
    guard let text, !text.isEmpty else { throw Mistake(message: "\(word) takes a path") }
    return URL(filePath: text)
  }
}
