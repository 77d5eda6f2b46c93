import Foundation
import StreamImages

// Plays every second model, from the one whose number is the argument. A process of its own, as it takes the jobs of all tasks.
guard let part = CommandLine.arguments.dropFirst().first.flatMap({ Int($0) }), JobHook.install() else {
  exit(EXIT_FAILURE)
}
for (number, model) in Model.all.enumerated() where number % 2 == part { print(report(model)) }
exit(EXIT_SUCCESS)

/// How many schedules of a model there are, or the first one in which something is wrong.
func report(_ model: Model) -> String {
  var search = Search()
  repeat {
    var play = Play(model)
    if let fault = play.run(&search) {
      let story = play.story.map { "\n  \($0)" }.joined()
      return "\(model.name), schedule \(search.schedules): \(fault)\(story)"
    }
    if search.hasDiverged { return "\(model.name): a schedule cannot be repeated" }
  } while search.advance()
  return "\(model.name): \(search.schedules) schedules"
}
