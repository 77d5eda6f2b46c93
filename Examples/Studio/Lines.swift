import Foundation
package import StreamImages
import StreamsExtras

/// The lines that a program is told: by somebody who types, or by a script.
package enum Lines {
  /// Whether somebody types: only then is a prompt of use.
  package static var areTyped: Bool { isatty(STDIN_FILENO) == 1 }

  /// What standard input says, line by line, until its end. What is not asked for yet waits.
  package static var typed: AnyPublisher<String, Never> {
    .create { subscriber in
      Thread.detachNewThread {
        read { subscriber.send($0) }
        subscriber.send(completion: .finished)
      }
      // A thread that reads cannot be told to stop. It ends with the input, or with the process.
      return AnyCancellable {}
    }
  }

  /// Not with `readLine`: while that waits, nothing can be flushed.
  private static func read(_ line: (String) -> Void) {
    var rest = Data()
    while case let more = FileHandle.standardInput.availableData, !more.isEmpty {
      rest += more
      while let end = rest.firstIndex(of: 0x0A) {
        line(String(decoding: rest[..<end], as: UTF8.self))
        rest = Data(rest[(end + 1)...])
      }
    }
    if !rest.isEmpty { line(String(decoding: rest, as: UTF8.self)) }
  }

  /// The lines of a file, without those that are empty or begin with `#`. The file may be a pipe, such as `/dev/stdin`.
  package static func script(at path: String) throws -> AnyPublisher<String, Never> {
    // Foundation reads whole files only from files that are no pipes.
    guard let file = FileHandle(forReadingAtPath: path) else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: path])
    }
    return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      .split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("#") }
      .publisher
      .eraseToAnyPublisher()
  }
}
