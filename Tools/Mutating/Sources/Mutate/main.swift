import Foundation

let interruptions = Running.endWithThis()
do {
  exit(try Run(Options(Array(CommandLine.arguments.dropFirst()))).run() ? 0 : 1)
} catch let error as Options.Unknown {
  print("mutate: \(error)")
  exit(2)
} catch {
  print("mutate: \(error)")
  exit(1)
}
