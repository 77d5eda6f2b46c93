/// What the command line asks for.
struct Options: Sendable {
  enum Task: Sendable, Equatable {
    case load, help
    case makeHuge(path: String)
  }

  struct Mistake: Error {
    let message: String
  }

  static let usage = """
    Loads images in two steps, the resized one first, then the original, and shows both.

    ChainedLoad [options] [URL or FILE ...]    without any: photographs that come with it, served on loopback
      --size N             longest side of the resized image in pixels (320)
      --only-resized       leaves out the original
      --output DIR         where the images are saved (Output)
      --cache DIR          where loaded images are kept (ChainedLoad in the user's cache directory)
      --clear-cache        empties the cache first
      --make-huge [FILE]   only writes a JPEG of 100 megapixels (huge.jpg)
      --help               only says this
    """

  var task = Task.load
  var sources: [String] = []
  var size = 320
  var isResizedOnly = false
  var outputPath = "Output"
  var cachePath: String?
  var clearsCache = false

  init(_ arguments: some Sequence<String>) throws(Mistake) {
    var words = Array(arguments)[...]
    while let word = words.popFirst() {
      switch word {
      case "--help", "-h": task = .help
      case "--make-huge":
        task = .makeHuge(path: words.first?.isOption == false ? words.removeFirst() : "huge.jpg")
      case "--size": size = try Self.size(words.popFirst())
      case "--only-resized": isResizedOnly = true
      case "--output": outputPath = try Self.path(words.popFirst(), after: word)
      case "--cache": cachePath = try Self.path(words.popFirst(), after: word)
      case "--clear-cache": clearsCache = true
      case _ where word.isOption: throw Mistake(message: "There is no option \(word)")
      case "": throw Mistake(message: "An empty word is neither a URL nor a file")
      default: sources.append(word)
      }
    }
  }

  private static func size(_ word: String?) throws(Mistake) -> Int {
    guard let word, let size = Int(word), (1...65_535).contains(size) else {
      throw Mistake(message: "--size takes a number of pixels from 1 to 65535, not \(word ?? "nothing")")
    }
    return size
  }

  private static func path(_ word: String?, after option: String) throws(Mistake) -> String {
    guard let word, !word.isEmpty, !word.isOption else {
      throw Mistake(message: "\(option) takes a directory")
    }
    return word
  }
}

extension String {
  fileprivate var isOption: Bool { hasPrefix("-") }
}
