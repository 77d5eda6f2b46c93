import Foundation
import StreamImages

// The order of things: what is wanted, the originals, the gallery before them, the site before that.
// It ends when it is told to (Ctrl-C); 1: something failed, and was said so; 2: the command line makes no sense.

func say(_ text: String) {
  print(text)
  fflush(nil)
}

func complain(_ text: String, status: Int32) -> Never {
  FileHandle.standardError.write(Data("FarOutPhotos: \(text)\n".utf8))
  exit(status)
}

// Photographs of others are decoded in processes of their own, which are this program again.
ImageWorker.runIfAsked()

do {
  let options = try Options(CommandLine.arguments.dropFirst())
  if options.wantsHelp {
    say(Options.usage)
    exit(0)
  }
  let cache =
    try options.cachePath.map {
      DataCache(directory: URL(fileURLWithPath: $0, isDirectory: true), sizeLimit: 512 << 20)
    }
    ?? DataCache(name: "FarOutPhotos", sizeLimit: 512 << 20)
  try await cache.prepare()
  guard let folder = cache.directory else { complain("there is no directory for the cache", status: 1) }
  let huge = try HugePicture(in: folder)
  if options.measures {
    exit(try await Measurement(cache: cache, huge: huge).run() ? 0 : 1)
  }

  let origin = try Origin(huge: huge)
  let gallery = Gallery(try Photo.found(at: options.paths) + origin.photos, cache: cache)
  let site = try Site(gallery)
  let observer = HTTPServer.Observer(
    sent: { gallery.counters.add($0, to: \.bytesSent) }, left: { gallery.counters.count(\.cancelled) })
  let server = try HTTPServer(port: options.port, observer: observer, site.answer)
  say("Far Out Photos: \(gallery.photos.count) photographs at \(server.url)")
  while true { try await Task.sleep(for: .seconds(3_600)) }
} catch let mistake as Options.Mistake {
  complain("\(mistake.message). Try --help.", status: 2)
} catch let error as CocoaError {
  complain("\(error.filePath.map { "\($0): " } ?? "")\(error.localizedDescription)", status: 1)
} catch {
  complain("\(error)", status: 1)
}
