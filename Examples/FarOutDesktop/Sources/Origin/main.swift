import Foundation
import StreamImages

// The server of the images, in a process of its own: so the figures of the window are those of the window.
// It prints its address, and ends when its standard input does: with the window.

func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("FarOutOrigin: \(text)\n".utf8))
  exit(1)
}

var folder = URL(filePath: ".build/far-out")
var count = 2_000
var isPreparing = false
var arguments = CommandLine.arguments.dropFirst()
while let word = arguments.popFirst() {
  switch word {
  case "--folder": folder = arguments.popFirst().map { URL(filePath: $0) } ?? folder
  case "--count": count = arguments.popFirst().flatMap { Int($0) } ?? count
  case "--prepare": isPreparing = true
  default: fail("there is no option \(word)")
  }
}

do {
  let paintings = try Paintings(count: count, folder: folder)
  if isPreparing {
    try paintings.paintAll()
    exit(0)
  }
  let site = Site(paintings)
  let server = try HTTPServer { site.answer($0) }
  print(server.url.absoluteString)
  fflush(nil)
  while !FileHandle.standardInput.availableData.isEmpty {}
} catch {
  fail("\(error)")
}
