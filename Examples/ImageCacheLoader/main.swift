import Foundation
import Studio

let usage = """
  Loads the same images several times through a cache of two levels, and counts hits and misses.

  ImageCacheLoader [URL ...]    without any: paintings from a server on loopback, the last of which is not there
    --help                      only says this
  """

await Program.run(usage: usage, options: []) { arguments in
  let urls = try arguments.words.map { word throws(Arguments.Mistake) in
    guard let url = URL(string: word), url.scheme != nil else { throw Arguments.Mistake("\(word) is no URL") }
    return url
  }
  let server = urls.isEmpty ? try PaintingServer() : nil
  await Demonstration(server?.urls ?? urls, server: server).run()
  server?.stop()
  return true
}
