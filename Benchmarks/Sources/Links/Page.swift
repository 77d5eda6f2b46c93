import Foundation
import LoopbackServer
import StreamImages

enum Way: String {
  case plain, secure, http2
}

/// What Benchmarks/Tools/nginx has in the environment.
struct Server {
  let ports: (plain: UInt16, secure: UInt16)
  let authorities: String
  let files: URL

  init() throws {
    let environment = ProcessInfo.processInfo.environment
    func port(_ name: String) -> UInt16? {
      environment[name].flatMap { URL(string: $0)?.port }.map { UInt16($0) }
    }
    guard let plain = port("NGINX_HTTP"), let secure = port("NGINX_HTTPS"),
      let authorities = environment["NGINX_CA"], let files = environment["NGINX_FILES"]
    else { throw DataLoadingError.unavailable("no server") }
    (ports, self.authorities, self.files) = ((plain, secure), authorities, URL(filePath: files))
  }
}

/// Images that are requested at once over a link.
struct Page {
  struct Run {
    /// How many failed, by the code of their error.
    var failures: [String: Int] = [:]
    var seconds = 0.0
    /// Until the first image was complete.
    var first = 0.0
    var byteCount = 0

    var text: String { failures.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ") }
  }

  let way: Way
  let kilobitsPerSecond: Int
  let milliseconds: Int
  let percentLost: Int
  var imageCount: Int
  var imageSize: Int

  init(way: Way, kilobitsPerSecond: Int, milliseconds: Int, percentLost: Int) {
    (self.way, self.kilobitsPerSecond) = (way, kilobitsPerSecond)
    (self.milliseconds, self.percentLost) = (milliseconds, percentLost)
    imageSize = kilobitsPerSecond < 1000 ? 12_000 : 100_000
    // The bytes of half a minute.
    imageCount = min(120, max(10, kilobitsPerSecond * 125 * 30 / imageSize))
  }

  private var link: Link {
    Link(
      kilobitsPerSecond: kilobitsPerSecond, roundTrip: .milliseconds(milliseconds),
      loss: Double(percentLost) / 100)
  }

  /// The seconds of one image that has the link to itself: a round trip to connect, one for each request, one for TLS.
  var timeOfOne: Double {
    Double((way == .plain ? 2 : 3) * milliseconds) / 1000
      + Double(imageSize) / Double(kilobitsPerSecond * 125)
  }

  func percentWasted(_ run: Run) -> Int {
    let needed = imageCount * imageSize
    return (max(0, run.byteCount - needed) * 100 + needed / 2) / needed
  }

  private var name: String { "link-\(imageSize)" }

  /// Makes the image that the server has. Its bytes are not repeated anywhere, so that each that is lost is seen.
  func prepare(_ server: Server) throws {
    let url = server.files.appending(path: name)
    let large = try FileHandle(forReadingFrom: server.files.appending(path: "large"))
    guard let bytes = try large.read(upToCount: imageSize), bytes.count == imageSize else {
      throw DataLoadingError.unavailable("no file")
    }
    if (try? Data(contentsOf: url)) != bytes { try bytes.write(to: url, options: .atomic) }
  }

  private func withRelay<Result>(
    to server: Server, _ body: (NetworkRelay) async throws -> Result
  ) async throws -> Result {
    let relay = try NetworkRelay(to: way == .plain ? server.ports.plain : server.ports.secure, link)
    defer { relay.stop() }
    return try await body(relay)
  }

  private func urls(_ relay: NetworkRelay) -> [URL] {
    (0..<imageCount).map { relay.url("/\(name)?\($0)", scheme: way == .plain ? "http" : "https") }
  }

  /// At once over a slow link, where both wait; one after the other where the processor is the limit.
  func run(_ server: Server) async throws -> (pipeline: Run, curl: Run) {
    guard kilobitsPerSecond < 50_000 else {
      return (try await load(from: server), try await loadWithCurl(from: server))
    }
    async let pipeline = load(from: server)
    async let curl = loadWithCurl(from: server)
    return (try await pipeline, try await curl)
  }

  /// By a pipeline that knows nothing yet, with its default limits.
  func load(from server: Server) async throws -> Run {
    let expected = try Data(contentsOf: server.files.appending(path: name))
    return try await withRelay(to: server) { relay in
      var configuration = CurlLoader.Configuration()
      (configuration.proxy, configuration.usesHTTP2) = (.none, way == .http2)
      configuration.certificateAuthorities = server.authorities
      let loader = CurlLoader(configuration)
      defer { loader.invalidate() }
      let pipeline = ImagePipeline {
        $0.dataLoader = loader
        $0.dataCache = nil
      }
      let start = ContinuousClock.now
      var run = Run()
      await withTaskGroup(of: String?.self) { group in
        for url in urls(relay) {
          group.addTask {
            do {
              let data = try await pipeline.data(for: ImageRequest(url: url)).data
              return data == expected ? nil : "wrong"
            } catch {
              return (error as? ImagePipeline.Error)?.code ?? "\(error)"
            }
          }
        }
        for await failure in group {
          if let failure {
            run.failures[failure, default: 0] += 1
          } else if run.first == 0 {
            run.first = start.duration(to: .now) / .seconds(1)
          }
        }
      }
      run.seconds = start.duration(to: .now) / .seconds(1)
      run.byteCount = relay.byteCount
      return run
    }
  }

  /// By curl, with as many transfers at a time as the pipeline may begin, and no limit of time.
  func loadWithCurl(from server: Server) async throws -> Run {
    let expected = try Data(contentsOf: server.files.appending(path: name))
    let folder = FileManager.default.temporaryDirectory.appending(path: "links-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await withRelay(to: server) { relay in
      let curl = Process()
      curl.executableURL = URL(filePath: "/usr/bin/env")
      let files = (0..<imageCount).map { folder.appending(path: "\($0)") }
      let (version, most) = way == .http2 ? ("--http2", "100") : ("--http1.1", "6")
      var arguments: [String] = ["curl", version, "--parallel", "--parallel-max", most]
      arguments += [
        "--silent", "--no-progress-meter", "--fail", "--noproxy", "*", "--cacert", server.authorities,
      ]
      for (url, file) in zip(urls(relay), files) {
        arguments += ["--output", file.path, url.absoluteString]
      }
      curl.arguments = arguments
      curl.standardError = FileHandle.nullDevice
      let start = ContinuousClock.now
      await withCheckedContinuation { ended in
        curl.terminationHandler = { _ in ended.resume() }
        do { try curl.run() } catch { ended.resume() }
      }
      var run = Run()
      run.seconds = start.duration(to: .now) / .seconds(1)
      let wrong = files.count { (try? Data(contentsOf: $0)) != expected }
      if wrong > 0 { run.failures["wrong"] = wrong }
      run.byteCount = relay.byteCount
      return run
    }
  }
}
