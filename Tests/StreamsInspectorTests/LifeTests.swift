import Foundation
import LoopbackSockets
import Streams
import StreamsExtras
import StreamsInspector
import Testing

@Suite("Life of an inspector")
struct LifeTests {
  @Test("The snippet of the documentation writes the address twice")
  func snippet() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let inspector = try StreamInspector.start()
      print(inspector.url)  // http://127.0.0.1:49213/8d0c…/
      inspector.stop()
    }

    let address = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/\n/
    let (output, errors) = (result?.standardOutputContent ?? [], result?.standardErrorContent ?? [])
    let printed = String(decoding: output, as: UTF8.self).firstMatch(of: address)
    let written = String(decoding: errors, as: UTF8.self).firstMatch(of: address)
    #expect(printed != nil)
    #expect(printed?.output == written?.output)
  }

  @Test("An inspector that is not retained runs, and two see the same subscriptions")
  func several() async {
    await #expect(processExitsWith: .success) {
      let (port, token) = try { () throws -> (UInt16, String) in
        let inspector = try StreamInspector.start()
        return (inspector.port, inspector.token)
      }()
      let other = try StreamInspector.start()
      let sink = PassthroughSubject<Int, Never>().sink { _ in }

      let request = "GET /\(token)/live.json HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
      precondition(Visitor.ask(port, Array(request.utf8)).body.contains("\"subscriptions\":1,"))
      try check(other.list().subscriptions == 1)
      other.stop()
      precondition(Visitor.ask(port, Array(request.utf8)).body.contains("\"subscriptions\":1,"))
      sink.cancel()
    }
  }

  @Test("A port that is taken is an error with the call that failed")
  func taken() throws {
    let (socket, port) = try Socket.listening()
    defer { socket.close() }

    let error = #expect(throws: StreamInspector.StartError.self) { try StreamInspector.start(port: port) }

    #expect(error?.description.hasPrefix("bind: ") == true)
  }

  @Test("The port is bound on 127.0.0.1 only", .enabled(if: LifeTests.hasTable))
  func loopback() async {
    await #expect(processExitsWith: .success) {
      let inspector = try StreamInspector.start()
      let digits = String(inspector.port, radix: 16, uppercase: true)
      let end = ":" + String(repeating: "0", count: 4 - digits.count) + digits
      let lines = try ["tcp", "tcp6"].flatMap { name in
        try String(contentsOfFile: "/proc/self/net/\(name)", encoding: .utf8).split(separator: "\n")
      }

      let addresses = lines.compactMap { line -> Substring? in
        let words = line.split(separator: " ")
        return words.count > 3 && words[3] == "0A" && words[1].hasSuffix(end) ? words[1] : nil
      }

      precondition(addresses.map(String.init) == ["0100007F\(end)"])
    }
  }

  private static let hasTable = FileManager.default.fileExists(atPath: "/proc/self/net/tcp6")
}
