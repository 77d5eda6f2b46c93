internal import ArgumentParser
internal import Logging

struct ServerOptions: ParsableArguments {
  @Option(help: "The address to listen at.")
  var host = "127.0.0.1"

  @Option(help: "The port to listen at; 0 for one that is free.")
  var port = 8080

  @Option(help: "The address of /metrics and /health. Strangers should not reach it.")
  var statusHost = "127.0.0.1"

  @Option(help: "The port of /metrics and /health; 0 for one that is free.")
  var statusPort = 8081

  @Option(help: "What clients of /metrics send as a bearer token.")
  var metricsToken: String?

  @Option(help: "The directory where thumbnails are kept; several servers may share it.")
  var cache = ".thumbnails"

  @Option(help: "The limit of that directory, in MiB.")
  var diskLimit = 1024

  @Option(help: "The memory for thumbnails that were used lately, in MiB.")
  var memoryLimit = 8

  @Option(help: "The largest number of connections; by default what the limit of open files leaves room for.")
  var connectionLimit: Int?

  @Option(help: "How long a connection may be idle, in seconds.")
  var idleTimeout = 15

  @Option(
    help:
      "How long browsers and caches may keep a thumbnail, in seconds; by default as the origin allows, or a day if it does not say."
  )
  var maxAge: Int?

  @Option(help: "The origin whose scripts may read answers, such as https://example.com; * for all.")
  var allowOrigin: String?

  @Option(
    help: "What is logged: trace, debug, info, notice, warning, error or critical. Refusals are notices.")
  var logLevel = "notice"

  func validate() throws {
    guard Logger.Level(rawValue: logLevel) != nil else {
      throw ValidationError("\(logLevel) is not a level.")
    }
    guard [port, statusPort].allSatisfy({ (0...65_535).contains($0) }) else {
      throw ValidationError("A port is from 0 to 65535.")
    }
    guard [diskLimit, memoryLimit].allSatisfy({ (0...1 << 32).contains($0) }) else {
      throw ValidationError("A limit has 0 to \(1 << 32) MiB.")
    }
    guard connectionLimit ?? 1 > 0 else { throw ValidationError("A limit is greater than 0.") }
    guard (1...86_400).contains(idleTimeout) else {
      throw ValidationError("A connection may be idle for 1 to 86400 seconds.")
    }
    // Caches need not understand more.
    guard (0...Int(Int32.max)).contains(maxAge ?? 0) else {
      throw ValidationError("Caches keep a thumbnail for 0 to \(Int32.max) seconds.")
    }
  }

  func apply(to settings: inout Thumbnails.Settings) throws {
    (settings.maxAge, settings.allowedOrigin, settings.metricsToken) = (maxAge, allowOrigin, metricsToken)
    settings.logger.logLevel = Logger.Level(rawValue: logLevel) ?? .notice
  }
}
