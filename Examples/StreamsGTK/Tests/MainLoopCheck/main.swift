import CGLib
import Dispatch
import Foundation
import Streams
import StreamsFoundation
import StreamsGLib

// Runs one check in `g_application_run`, on a main thread that nothing else uses. Exits with 0 if it holds.

let names = Check.all.map(\.name)
guard CommandLine.arguments.count == 2,
  let check = Check.all.first(where: { $0.name == CommandLine.arguments[1] })
else {
  print(names.joined(separator: "\n"))
  exit(CommandLine.arguments.count == 1 ? 0 : 2)
}

let run = Run()
run.mainQueue = MainQueueSource.attach()
check.body(run)
run.loop()
print(run.result)
exit(run.result == "holds" ? 0 : 1)
