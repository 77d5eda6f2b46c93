/// What somebody can type.
enum Command: Equatable {
  case add
  case pick(Int)
  case done, save, clear, help, quit

  static let usage = "add · pick NUMBER · done · save · clear · help · quit"

  /// `nil` if it is none.
  init?(_ line: String) {
    let words = line.lowercased().split(separator: " ")
    switch (words.first, words.count) {
    case ("add", 1): self = .add
    case ("pick", 2):
      guard let number = Int(words[1]) else { return nil }
      self = .pick(number)
    case ("done", 1): self = .done
    case ("save", 1): self = .save
    case ("clear", 1): self = .clear
    case ("help", 1): self = .help
    case ("quit", 1): self = .quit
    default: return nil
    }
  }
}
