import Foundation
import StreamImages

/// A relay that makes the way to the server long and slow.
struct Way {
  private let relay = Process()
  private let input = Pipe()
  private let port: Int
  private let megabits: Int
  private let milliseconds: Int

  init(to server: Int, milliseconds: Int, megabits: Int, relay path: String) throws {
    (self.milliseconds, self.megabits) = (milliseconds, megabits)
    let output = Pipe()
    relay.executableURL = URL(filePath: path)
    relay.arguments = ["\(server)", "\(milliseconds)", "\(megabits)"]
    (relay.standardInput, relay.standardOutput) = (input, output)
    try relay.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      throw DataLoadingError.unavailable("no relay")
    }
    self.port = port
  }

  func close() {
    try? input.fileHandleForWriting.close()
    relay.waitUntilExit()
  }

  private func url(_ number: Int, of file: String = "small") -> URL {
    URL(string: "https://localhost:\(port)/\(file)?\(number)")!
  }

  /// A loader without connections.
  private func loader(_ authorities: String) -> CurlLoader {
    var configuration = CurlLoader.Configuration()
    configuration.proxy = .none
    configuration.certificateAuthorities = authorities
    return CurlLoader(configuration)
  }

  /// The seconds for all images, by a pipeline that knows nothing yet, as it comes but for what the server needs.
  func loadPage(_ authorities: String, besideStalled: Bool = false) async throws -> Double {
    let loader = loader(authorities)
    defer { loader.invalidate() }
    let pipeline = ImagePipeline {
      $0.dataLoader = loader
      $0.dataCache = nil
    }
    var stalled: LoadedData?
    if besideStalled {
      stalled = try await loader.load(DataRequest(url: URL(string: "https://localhost:\(port)/medium")!))
      // Until its bytes have filled what takes them, and the way is free.
      try await Task.sleep(for: .milliseconds(200 + 8_000 / megabits + 3 * milliseconds))
    }
    let clock = ContinuousClock()
    let start = clock.now
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<imageCount {
        let url = url(number)
        group.addTask { try await pipeline.data(for: ImageRequest(url: url)).data.count }
      }
      for try await count in group where count != imageSize {
        throw DataLoadingError.truncated(received: count, expected: imageSize)
      }
    }
    let seconds = start.duration(to: clock.now).inSeconds
    stalled?.body.cancel()
    return seconds
  }

  /// The seconds until each image of a page of progressive JPEGs shows something, and until each is complete.
  func showPage(
    of file: String, _ authorities: String
  ) async throws -> (shown: Double, complete: Double) {
    let loader = loader(authorities)
    defer { loader.invalidate() }
    let pipeline = ImagePipeline {
      $0.dataLoader = loader
      ($0.dataCache, $0.imageCache) = (nil, nil)
      $0.isProgressiveDecodingEnabled = true
    }
    let start = ContinuousClock.now
    let shown = try await withThrowingTaskGroup(of: Double.self) { group in
      for number in 0..<imageCount {
        let url = url(number, of: file)
        group.addTask {
          var first: Double?
          for try await _ in pipeline.imagePublisher(with: url).values where first == nil {
            first = start.duration(to: .now).inSeconds
          }
          return first ?? .infinity
        }
      }
      return try await group.reduce(0) { max($0, $1) }
    }
    return (shown, start.duration(to: .now).inSeconds)
  }

  /// The same by curl, with as many transfers at a time as there are images.
  func curlPage(_ authorities: String, of file: String = "small") throws -> Double {
    let curl = Process()
    curl.executableURL = URL(filePath: "/usr/bin/env")
    curl.arguments =
      [
        "curl", "--http2", "--parallel", "--parallel-max", "\(imageCount)", "--silent", "--no-progress-meter",
        "--fail", "--noproxy",
        "*",
        "--cacert", authorities,
      ] + (0..<imageCount).flatMap { ["--output", "/dev/null", url($0, of: file).absoluteString] }
    let clock = ContinuousClock()
    let start = clock.now
    curl.standardError = FileHandle.nullDevice
    try curl.run()
    curl.waitUntilExit()
    let seconds = start.duration(to: clock.now).inSeconds
    guard curl.terminationStatus == 0 else {
      throw DataLoadingError.unavailable("curl \(curl.terminationStatus)")
    }
    return seconds
  }
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
