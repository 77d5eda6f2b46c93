internal import ArgumentParser
internal import CHeap
internal import Foundation
internal import Hummingbird
internal import StreamImages

@main
enum Program {
  static func main() async {
    // Started anew by the pipeline, this program is a process that decodes images, and does not come back from here.
    ImageWorker.runIfAsked()
    await ThumbnailServer.main()
  }
}

struct ThumbnailServer: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ThumbnailServer", abstract: "Serves thumbnails of images from other hosts.")

  @Option(help: "A host that images may come from, such as *.example.com or example.com:8080; * for all.")
  var allow: [String]

  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at; 0 for one that is free.")
  var port = 8080

  @Option(help: "The address of /metrics and /health. Strangers should not reach it.")
  var statusHost = "127.0.0.1"

  @Option(help: "The port of /metrics and /health; 0 for one that is free.")
  var statusPort = 8081

  @Option(help: "The directory where thumbnails are kept; several servers may share it.")
  var cache = ".thumbnails"

  @Option(help: "The limit of that directory, in MiB.")
  var diskLimit = 1024

  @Option(help: "The memory for thumbnails that were used lately, in MiB.")
  var memoryLimit = 32

  @Option(help: "Beyond so many requests at a time, others are answered with 503.")
  var requestLimit = 1024

  @Option(help: "Beyond so many requests for images of one host at a time, others are answered with 503.")
  var hostLimit = 128

  @Option(help: "The largest number of connections; by default what the limit of open files leaves room for.")
  var connectionLimit: Int?

  @Option(help: "How long a connection may be idle, in seconds.")
  var idleTimeout = 15

  @Option(help: "How long a request may take, in seconds.")
  var deadline = 30

  @Option(help: "The longest side of a thumbnail, in pixels.")
  var maximumSide = 2048

  @Option(help: "How long browsers and caches may keep a thumbnail, in seconds.")
  var maxAge = 86_400

  @Option(help: "The formats for clients that name them in Accept, the favorite first: webp, avif.")
  var formats: [ThumbnailFormat] = [.webp]

  @Flag(help: "Loads from loopback and private addresses as well: for tests, or a storage of your own.")
  var privateAddresses = false

  @Flag(help: "Decodes images in this process, which an image that attacks a decoder can then take over.")
  var withoutIsolation = false

  func run() async throws {
    let thumbnails = Thumbnails(
      try settings(), directory: URL(fileURLWithPath: cache, isDirectory: true), diskLimit: diskLimit << 20,
      memoryLimit: memoryLimit << 20)
    // Fails here, rather than at each image, where the system cannot isolate.
    if let protections = try thumbnails.pipeline.decodingProtections() {
      print("Images are decoded in processes of their own. The system enforces: \(protections).")
    }
    let connections = Connections(limit: connectionLimit ?? Self.connectionLimit)
    var application = Application(
      router: thumbnails.router(),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [connections.handler()], idleTimeout: .seconds(Int64(idleTimeout)))),
      configuration: ApplicationConfiguration(address: .hostname(host, port: port), backlog: 1024),
      onServerRunning: { [host] channel in
        let address = "http://\(host):\(channel.localAddress?.port ?? 0)"
        FileHandle.standardOutput.write(Data("Thumbnails: \(address)/thumb?url=…&w=320\n".utf8))
      })
    application.addServices(statusApplication(thumbnails))
    let trimming = trimmingHeap()
    defer { trimming.cancel() }
    // Until SIGTERM or SIGINT, and until the requests of that moment are answered.
    try await application.runService()
    await thumbnails.pipeline.flush()
  }

  private func statusApplication(_ thumbnails: Thumbnails) -> some ApplicationProtocol {
    Application(
      router: thumbnails.statusRouter(),
      configuration: ApplicationConfiguration(address: .hostname(statusHost, port: statusPort)),
      onServerRunning: { [statusHost] channel in
        let address = "http://\(statusHost):\(channel.localAddress?.port ?? 0)"
        FileHandle.standardOutput.write(Data("Status: \(address)/metrics\n".utf8))
      })
  }

  /// Loads, workers and files of the cache need descriptors as well.
  private static var connectionLimit: Int {
    let descriptors = Int(descriptor_limit())
    return min(4096, max(descriptors - 256, descriptors / 2))
  }

  private func settings() throws -> Thumbnails.Settings {
    let isOpen = allow.contains("*")
    let patterns = try allow.filter { $0 != "*" }.map { text in
      guard let pattern = HostPolicy.Pattern(text) else { throw ValidationError("\(text) is not a host.") }
      return pattern
    }
    var settings = Thumbnails.Settings(hosts: isOpen ? .any : HostPolicy(allowing: patterns))
    if privateAddresses { settings.addresses = .any }
    if withoutIsolation { settings.isolation = DecodingIsolation.none }
    (settings.maximumSide, settings.requestLimit) = (maximumSide, requestLimit)
    (settings.maxAge, settings.formats) = (maxAge, formats)
    (settings.hostLimit, settings.deadline) = (hostLimit, .seconds(deadline))
    return settings
  }
}

extension ThumbnailFormat: ExpressibleByArgument {}
