import LoopbackServer
import LoopbackSockets

/// Says what it is told to, and hears what comes.
struct RawClient {
  private let socket: Socket
  private let alarm: Alarm

  init(_ server: LoopbackServer) throws { try self.init(server.port) }

  init(_ port: UInt16) throws {
    socket = try Socket.connecting(to: port)
    alarm = try Alarm()
    _ = socket.wait(toWrite: true, alarm: alarm)
  }

  /// Returns whether the system accepts it: not after a reset, but after an orderly close.
  @discardableResult func say(_ text: String) -> Bool {
    Array(text.utf8).withUnsafeBytes { socket.send($0) } != nil
  }

  func get(_ path: String, _ headers: [String] = [], method: String = "GET") {
    say((["\(method) \(path) HTTP/1.1", "Host: h"] + headers + ["", ""]).joined(separator: "\r\n"))
  }

  /// What comes until a text has come, or the end.
  func hear(until mark: String? = nil, atMost patience: Duration = .seconds(120)) -> String {
    var heard = ""
    while mark.map({ !heard.contains($0) }) ?? true {
      guard socket.wait(toRead: true, alarm: alarm, timeout: patience) == .ready else { return heard }
      guard let bytes = socket.receive() else { continue }
      if bytes.isEmpty { return heard }
      heard += String(decoding: bytes, as: UTF8.self)
    }
    return heard
  }

  /// Asks for one path, and hears the whole answer.
  static func ask(_ server: LoopbackServer, _ path: String, _ headers: [String] = [], method: String = "GET")
    throws -> String
  {
    try ask(server.port, path, headers, method: method)
  }

  static func ask(_ port: UInt16, _ path: String, _ headers: [String] = [], method: String = "GET")
    throws -> String
  {
    let client = try RawClient(port)
    client.get(path, headers + ["Connection: close"], method: method)
    return client.hear()
  }

  func leave() { socket.close() }
}

func withServer(_ test: (LoopbackServer) async throws -> Void) async throws {
  let server = try LoopbackServer()
  defer { server.stop() }
  try await test(server)
}
