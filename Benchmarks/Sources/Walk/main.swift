import Foundation
import StreamImages
import StreamsFoundation

// Walk: sends so many values through a chain, or loads so many images that are in no cache; see Benchmarks/Tools/walk.

func fail(_ reason: String) -> Never {
  print("walk: \(reason); use Scripts/benchmark walk")
  exit(2)
}

/// subject ─▶ map ─▶ filter ─▶ flatMap ─▶ receive(on:) ─▶ sink
func sendValues(_ count: Int) {
  let subject = PassthroughSubject<Int, Never>()
  let queue = DispatchQueue(label: "walk")
  let received = DispatchSemaphore(value: 0)
  let subscription = subject.map { $0 + 1 }.filter { $0 > 0 }.flatMap { Just($0) }.receive(on: queue)
    .sink(receiveValue: { _ in received.signal() }, isolation: nil)
  for value in 0..<count {
    subject.send(value)
    received.wait()
  }
  withExtendedLifetime(subscription) {}
}

func loadImages(_ count: Int) async throws {
  let environment = ProcessInfo.processInfo.environment
  guard let base = environment["NGINX_HTTP"], let files = environment["NGINX_FILES"] else {
    fail("no server")
  }
  let image = try Image(bytes: Array(repeating: 128, count: 768), width: 16, height: 16, pixelFormat: .rgb8)
  let bytes = Data(try ImageEncoder.encode(image, as: .png))
  let directory = URL(filePath: files)
  var network = CurlLoader.Configuration()
  network.proxy = .none
  let loader = CurlLoader(network)
  let pipeline = ImagePipeline {
    $0.dataLoader = SchemeLoader(network: loader)
    $0.dataCache = DataCache(directory: directory.appending(path: "walk-\(UUID())"))
  }
  for number in 0..<count {
    try bytes.write(to: directory.appending(path: "walk-\(number).png"))
    _ = try await pipeline.image(for: URL(string: "\(base)/walk-\(number).png"))
    await pipeline.flush()
  }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let count = Int(arguments[2]) else { fail("two arguments are needed") }
switch arguments[1] {
case "value": sendValues(count)
case "image": try await loadImages(count)
default: fail("there is no \(arguments[1])")
}
