/// What the command line asks for.
struct Options: Sendable {
  struct Mistake: Error {
    let message: String
  }

  static let usage = """
    Serves a gallery of photographs as a web page, at a port of this machine.

    FarOutPhotos [options] [FILE or FOLDER ...]    images of yours come first
      --port N             where it listens; 0 for any port that is free (8080)
      --cache DIR          where originals and thumbnails are kept (FarOutPhotos in the user's cache directory)
      --measure            only measures: does an original of 60 MB make thumbnails wait?
      --help               only says this
    """

  var paths: [String] = []
  var port: UInt16 = 8_080
  var cachePath: String?
  var wantsHelp = false
  var measures = false

  init(_ arguments: some Sequence<String>) throws(Mistake) {
    var words = Array(arguments)[...]
    while let word = words.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--measure": measures = true
      case "--port":
        guard let port = words.popFirst().flatMap({ UInt16($0) }) else {
          throw Mistake(message: "--port takes a number from 0 to 65535")
        }
        self.port = port
      case "--cache":
        guard let path = words.popFirst(), !path.isEmpty, !path.hasPrefix("-") else {
          throw Mistake(message: "--cache takes a directory")
        }
        cachePath = path
      case _ where word.hasPrefix("-"): throw Mistake(message: "There is no option \(word)")
      default: paths.append(word)
      }
    }
  }
}
