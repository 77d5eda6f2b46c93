import Foundation

let growing = rows(of: [sameImage, differentImages])
let arguments = Array(CommandLine.arguments.dropFirst())

// The memory of requests that wait: `--memory image|resized|data|same COUNT`.
if arguments.first == "--memory", arguments.count == 3, let count = Int(arguments[2]) {
  print(await memory(ofWaiting: arguments[1], count))
} else {
  exit(serve(growing, arguments))
}
