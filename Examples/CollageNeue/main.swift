import Foundation
import StreamImages
import Studio

let usage = """
  Makes a collage of two, four or six photographs, and saves it as JPEG.

  CollageNeue [options]    reads commands: \(Command.usage)
    --library DIR          where collages are saved (Collages)
    --photos DIR           photographs to pick from; without it: paintings
    --script FILE          reads commands from a file
    --help                 only says this
  """

await Program.run(usage: usage, options: ["--library", "--photos", "--script"]) { arguments in
  try arguments.refuseWords()
  let library = URL(fileURLWithPath: arguments["--library"] ?? "Collages", isDirectory: true)
  let photos = arguments["--photos"].map { URL(fileURLWithPath: $0, isDirectory: true) }
  let album = if let photos { try await Album(directory: photos) } else { Album() }
  let lines = if let path = arguments["--script"] { try Lines.script(at: path) } else { Lines.typed }

  let interface = Interface(CollageModel(library: DirectoryLibrary(directory: library)), album: album)
  Lines.prompt()
  for await line in lines.values {
    if !Lines.areTyped { Console.say("> \(line)") }
    guard await interface.perform(line) else { break }
    Lines.prompt()
  }
  return interface.errorCount == 0
}
