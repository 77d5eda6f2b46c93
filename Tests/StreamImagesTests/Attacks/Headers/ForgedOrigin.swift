import Foundation
import StreamImages
import Streams

/// A server whose head is given byte by byte, and whose body differs for each request.
final class ForgedOrigin: DataLoading {
  static let url = URL(string: "https://example.org/a.png")!
  private let lines: [[UInt8]]
  private let count = Guarded(0)

  init(_ lines: [[UInt8]]) { self.lines = lines }

  var requestCount: Int { count.withLock { $0 } }

  func load(_ request: DataRequest, limits: LoadLimits) async throws(DataLoadingError) -> LoadedData {
    let controls = request.headers.first { $0.value.utf8.contains { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F } }
    if let controls { throw .invalidHeader(name: controls.name) }
    var parser = HeadParser(limits)
    for line in [Array("HTTP/1.1 200 OK".utf8)] + lines + [[]] {
      var failure: DataLoadingError?
      (line + [0x0D, 0x0A]).withUnsafeBytes { bytes in
        do throws(DataLoadingError) { try parser.take(bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    }
    let number = count.withLock { count in
      count += 1
      return count
    }
    return LoadedData(
      head: LoadedHead(status: parser.status, headers: parser.fields, url: request.url),
      body: BufferedChunks(Data("\(number)".utf8)))
  }
}

/// Bytes that must not hide a header, nor join two: all controls, and characters that join with the one before.
enum Intruder {
  static let all: [[UInt8]] = bytes.map { [$0] } + characters.map { Array($0.utf8) } + returns

  private static let bytes: [UInt8] = (0...0x20).filter { $0 != 0x0A } + [0x7F, 0x85, 0xA0]
  private static let characters = [
    "\u{301}", "\u{308}", "\u{200D}", "\u{FE0F}", "\u{1F3FB}", "\u{85}", "\u{2028}", "\u{FEFF}",
  ]
  private static let returns: [[UInt8]] = [[0x0D, 0x0D], [0x0D, 0x20], [0x20, 0x0D], [0x0D, 0xCC, 0x81]]
}
