import Foundation
import StreamImages
import Studio

// Photographs of others are decoded in processes of their own, which are this program again.
ImageWorker.runIfAsked()

let usage = """
  Makes a collage of two, four or six photographs, and saves it as JPEG.

  CollageNeue [options]    reads commands: \(Command.usage)
    --library DIR          where collages are saved (Output/Collages)
    --photos DIR           photographs to pick from; without it: paintings
    --script FILE          reads commands from a file, or from a pipe: /dev/stdin
    --help                 only says this
  """

await Program.run(usage: usage, options: ["--library", "--photos", "--script"]) { arguments in
  try arguments.refuseWords()
  let library = URL(fileURLWithPath: arguments["--library"] ?? "Output/Collages", isDirectory: true)
  let photos = arguments["--photos"].map { URL(fileURLWithPath: $0, isDirectory: true) }
  let album = if let photos { try await Album(directory: photos) } else { Album() }
  let script = try arguments["--script"].map { try Lines.script(at: $0) }
  let isTyped = script == nil && Lines.areTyped

  let interface = Interface(CollageModel(library: DirectoryLibrary(directory: library)), album: album)
  if isTyped { Console.prompt() }
  for await line in (script ?? Lines.typed).values {
    if !isTyped { Console.say("> \(line)") }
    guard await interface.perform(line) else { break }
    if isTyped { Console.prompt() }
  }
  return interface.errorCount == 0
}
