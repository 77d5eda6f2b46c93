import Foundation
import StreamImages

let sameImage = requests("same", "n requests for one image, joined and cancelled, a request") { _ in
  URL(string: "https://example.org/image.png")
}

let differentImages = requests("different", "n requests for different images, made and cancelled, a request")
{
  URL(string: "https://host\($0 % 100).example.org/\($0).png")
}

private func requests(
  _ name: String, _ title: String, _ url: @escaping @Sendable (Int) -> URL?
) -> Series {
  Series(name: name, title: title, share: { $0 }, sizes: powersOfTen, events: { _ in (0, 1) }) {
    size, count in
    guard count > 0 else { return 0 }
    let pipeline = ImagePipeline {
      ($0.dataCache, $0.imageCache) = (nil, nil)
    }
    pipeline.suspend(.loading)
    let tasks = (0..<size).map { pipeline.imageTask(with: url($0)) }
    for task in tasks { task.cancel() }
    return tasks.count
  }
}

/// The resident memory that each of `count` waiting requests takes, in bytes.
func memory(ofWaiting kind: String, _ count: Int) async -> Int {
  let folder = FileManager.default.temporaryDirectory.appending(path: "growth-\(UUID())")
  let pipeline = ImagePipeline {
    ($0.dataCache, $0.imageCache) = (DataCache(directory: folder), nil)
  }
  pipeline.suspend(.loading)
  var tasks: [ImageTask] = []
  var data: [DataTask] = []
  func request(_ numbers: Range<Int>) async {
    for number in numbers {
      let url = URL(string: "https://host\(number % 100).example.org/\(kind == "same" ? 0 : number).png")
      switch kind {
      case "resized":
        tasks.append(pipeline.imageTask(with: ImageRequest(url: url, processors: [.resize(width: 320)])))
      case "data": data.append(pipeline.dataTask(with: url))
      default: tasks.append(pipeline.imageTask(with: url))
      }
    }
    let waiting = kind == "same" ? 1 : numbers.upperBound
    while pipeline.counts(of: .loading).waiting < waiting { await Task.yield() }
  }
  // What is made once is made for the first ones.
  await request(0..<100)
  let before = residentByteCount()
  await request(100..<100 + count)
  let after = residentByteCount()
  for task in tasks { task.cancel() }
  for task in data { task.cancel() }
  return (after - before) / count
}

private func residentByteCount() -> Int {
  let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
  return (fields.flatMap { Int($0[1]) } ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
}
