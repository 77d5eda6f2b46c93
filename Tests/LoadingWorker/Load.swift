import Foundation
import StreamImages

/// Loads a URL, dropping each piece, and says how much came, how it ended, and by how much the process grew.
func load(_ url: URL, coded: Bool, limit: Int) async {
  var configuration = CurlLoader.Configuration()
  configuration.proxy = .none
  let loader = CurlLoader(configuration)
  var request = DataRequest(url: url)
  request.allowsContentCoding = coded
  var limits = LoadLimits()
  limits.maximumByteCount = limit
  // What is made once is made before.
  _ = try? await loader.data(for: DataRequest(url: url, method: .head))
  let before = residentByteCount()
  var (count, peak, ending) = (0, before, "done")
  do throws(DataLoadingError) {
    let loaded = try await loader.load(request, limits: limits)
    while let chunk = try await loaded.body.next() {
      count += chunk.count
      peak = max(peak, residentByteCount())
    }
  } catch {
    ending = "\(error)"
  }
  peak = max(peak, residentByteCount())
  say("received \(count) grown \(peak - before) ended \(ending)")
  loader.invalidate()
}

/// Starts loads and cancels them, so many times; says what is left of them.
func cycle(_ url: URL, count: Int) async {
  var configuration = CurlLoader.Configuration()
  configuration.proxy = .none
  let loader = CurlLoader(configuration)
  var lot = Lot(state: 1)
  func run(_ count: Int) async {
    for _ in 0..<count / 10 {
      let yields = Int.random(in: 0..<40, using: &lot)
      await withTaskGroup { group in
        for _ in 0..<10 {
          group.addTask { _ = try? await loader.data(for: DataRequest(url: url)) }
        }
        for _ in 0..<yields { await Task.yield() }
        group.cancelAll()
      }
    }
  }
  let first = residentByteCount()
  await run(count / 5)
  let (memory, descriptors) = (residentByteCount(), descriptorCount())
  await run(count)
  say(
    "cycles \(count) grown \(residentByteCount() - memory) descriptors \(descriptorCount() - descriptors)"
      + " warming up \(memory - first)")
  loader.invalidate()
}

/// Reads a file below a root, so many times, and says by how much the process grew.
func read(_ path: String, below root: String, count: Int) async {
  let loader = FileLoader(roots: [URL(fileURLWithPath: root)])
  let request = DataRequest(url: URL(fileURLWithPath: path))
  func run(_ count: Int) async {
    for _ in 0..<count { _ = try? await loader.data(for: request) }
  }
  await run(count / 5)
  let memory = residentByteCount()
  await run(count)
  say("read \(count) grown \(residentByteCount() - memory)")
}

func residentByteCount() -> Int {
  let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
}

func descriptorCount() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
}

/// Requests that many different images, whose turn to be loaded never comes.
func wait(_ kind: String, in directory: URL, count: Int) async {
  let pipeline = ImagePipeline { configuration in
    configuration.dataCache = DataCache(directory: directory)
    configuration.imageCache = nil
  }
  pipeline.suspend(.loading)
  var images: [ImageTask] = []
  var data: [DataTask] = []
  func request(_ numbers: Range<Int>) async {
    for number in numbers {
      let url = URL(string: "https://host\(number % 100).example.org/\(number).png")
      switch kind {
      case "data": data.append(pipeline.dataTask(with: url))
      case "resized":
        let request = ImageRequest(url: url, processors: [.resize(width: 320)])
        images.append(pipeline.imageTask(with: request))
      default: images.append(pipeline.imageTask(with: url))
      }
    }
    while pipeline.counts(of: .loading).waiting < numbers.upperBound { await Task.yield() }
  }
  // What is made once is made for the first ones.
  await request(0..<100)
  let memory = residentByteCount()
  await request(100..<100 + count)
  say("waiting \(count) grown \(residentByteCount() - memory)")
  for task in images { task.cancel() }
  for task in data { task.cancel() }
}
