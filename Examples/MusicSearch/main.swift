import Foundation
import StreamImages
import StreamsInspector
import Studio

let usage = """
  Searches for songs while you type, and shows them with artwork. Each line is what stands in the search field.

  MusicSearch [options]    \(Session.help)
    --script FILE          reads lines from a file; time passes only where it says so
    --help                 only says this
  """

await Program.run(usage: usage, options: ["--script"]) { arguments in
  try arguments.refuseWords()
  if ProcessInfo.processInfo.environment["STREAMS_INSPECTOR"] != nil { try StreamInspector.start() }
  let script = try arguments["--script"].map { try Lines.script(at: $0) }
  let server = try MusicServer(Catalogue())
  let session = Session(server, isScripted: script != nil)

  var isOver = false
  for await line in (script ?? Lines.typed).values {
    if script != nil { Console.say("> \(line)") }
    if await !session.perform(line) {
      isOver = true
      break
    }
  }
  if !isOver { await session.settle() }
  Console.say("searches: \(server.searchCount) · artwork loaded: \(server.artworkCount)")
  server.stop()
  return true
}
