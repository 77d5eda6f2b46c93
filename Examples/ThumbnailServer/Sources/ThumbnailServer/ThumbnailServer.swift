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
    commandName: "ThumbnailServer", abstract: "Serves thumbnails of images from other hosts.",
    discussion: """
      Each option can also be a line of a configuration file, such as "max-age 3600", or a variable of the environment, such \
      as THUMBNAILS_MAX_AGE=3600. The command line comes before the environment, and the environment before the file.
      """)

  @Option(help: "A file with an option in each line, and comments after #.")
  var configuration: String?

  @OptionGroup(title: "Sources") var sources: SourceOptions
  @OptionGroup(title: "Requests") var requests: RequestOptions
  @OptionGroup(title: "Thumbnails") var images: ImageOptions
  @OptionGroup(title: "Server") var server: ServerOptions

  /// Runs with the settings of the command line, the environment and the file.
  static func main() async {
    do {
      let given = Array(CommandLine.arguments.dropFirst())
      await main(try Settled.arguments(given, ProcessInfo.processInfo.environment))
    } catch {
      exit(withError: error)
    }
  }

  func run() async throws {
    let connections = Connections(limit: server.connectionLimit ?? Self.connectionLimit)
    let thumbnails = Thumbnails(
      try settings(), directory: URL(fileURLWithPath: server.cache, isDirectory: true),
      diskLimit: server.diskLimit << 20, memoryLimit: server.memoryLimit << 20, connections: connections)
    // Fails here, rather than at each image, where the system cannot isolate.
    if let protections = try thumbnails.pipeline.decodingProtections() {
      say("Images are decoded in processes of their own. The system enforces: \(protections).")
    }
    var application = Application(
      router: thumbnails.router(),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [connections.handler()], idleTimeout: .seconds(Int64(server.idleTimeout))
        )),
      configuration: ApplicationConfiguration(
        address: .hostname(server.host, port: server.port), backlog: 1024),
      onServerRunning: { [host = server.host] channel in
        say("Thumbnails: http://\(host):\(channel.localAddress?.port ?? 0)/thumb?url=…&w=320")
      },
      logger: thumbnails.settings.logger)
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
      configuration: ApplicationConfiguration(
        address: .hostname(server.statusHost, port: server.statusPort)),
      onServerRunning: { [host = server.statusHost] channel in
        say("Status: http://\(host):\(channel.localAddress?.port ?? 0)/metrics")
      },
      logger: thumbnails.settings.logger)
  }

  /// Loads, workers and files of the cache need descriptors as well.
  private static var connectionLimit: Int {
    let descriptors = Int(descriptor_limit())
    return min(4096, max(descriptors - 256, descriptors / 2))
  }

  private func settings() throws -> Thumbnails.Settings {
    var settings = Thumbnails.Settings(hosts: try sources.hosts())
    try sources.apply(to: &settings)
    try requests.apply(to: &settings)
    try images.apply(to: &settings)
    try server.apply(to: &settings)
    return settings
  }
}

/// Writes a line at once, also where output is a file.
private func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
