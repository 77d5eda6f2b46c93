import Foundation
import StreamImages

// GalleryMemory FOLDER: 500 thumbnails of 320 pixels from the photographs of 12 megapixels in FOLDER, asked for eight at a
// time, as rows of a gallery are, through a pipeline whose memory cache is too small for them; and how much memory that
// took.

private let limit = 32 << 20
private let count = 500

/// A line of what Linux knows of this process, in bytes.
private func memory(_ name: String) -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
  return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
}

guard let folder = CommandLine.arguments.dropFirst().first.map({ URL(fileURLWithPath: $0) }) else {
  print("gallery: where are the photographs? Use Scripts/benchmark thumbnails")
  exit(2)
}

var configuration = ImagePipeline.Configuration()
configuration.dataCache = nil
configuration.imageCache = ImageCache(costLimit: limit)
let pipeline = ImagePipeline(configuration)
let before = memory("VmRSS:")

let shown = try await withThrowingTaskGroup(of: Int.self) { group in
  var shown = 0
  for index in 0..<count {
    if index >= 8, try await group.next() == 320 { shown += 1 }
    let file = folder.appendingPathComponent("baseline-\(index % 200).jpg")
    group.addTask {
      // Each is a picture of its own to the caches, although there are fewer files.
      var request = ImageRequest(
        url: file, processors: [.resize(size: CGSize(width: 320, height: 320), contentMode: .aspectFit)])
      request.imageID = "photograph \(index)"
      return try await pipeline.image(for: request).width
    }
  }
  for try await width in group where width == 320 { shown += 1 }
  return shown
}

let megabytes = Double(memory("VmHWM:") - before - limit) / Double(1 << 20)
print(
  String(
    format: "gallery: %d thumbnails, at most %.0f MB above a cache limit of %d MB", shown, megabytes,
    limit >> 20))
exit(shown == count ? 0 : 1)
