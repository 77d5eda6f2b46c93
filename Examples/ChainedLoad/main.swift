import Foundation
import Studio

// The order of things: what is wanted, then doing it, then how it went as exit status.
// 0: all shown and saved. 1: something failed, and was said so. 2: the command line makes no sense.

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  switch options.task {
  case .help:
    Console.say(Options.usage)
  case .makeHuge(let path):
    try HugePicture().write(to: URL(fileURLWithPath: path))
  case .load:
    let isGood = try await Demonstration(options).run()
    exit(isGood ? 0 : 1)
  }
} catch let mistake as Options.Mistake {
  Console.complain("\(mistake.message). Try --help.")
  exit(2)
} catch let error as CocoaError {
  Console.complain("\(error.filePath.map { "\($0): " } ?? "")\(error.localizedDescription)")
  exit(1)
} catch {
  Console.complain("\(error)")
  exit(1)
}
