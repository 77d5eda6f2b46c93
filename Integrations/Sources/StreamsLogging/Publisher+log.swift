public import Logging
public import Streams
internal import Synchronization

extension Publisher {
  /// Logs each signal.
  ///
  /// ```swift
  /// let sizes = uploads.log(logger, level: .trace, name: "uploads").map(\.count)
  /// ```
  ///
  /// The message is the signal: `subscribed`, `requested`, `value`, `finished`, `failed` or `cancelled`. The metadata has the name
  /// of the chain, and the number of the subscription, counted from one for each call. All signals pass unchanged. If the
  /// logger does not log the level, no text is made. It is evaluated for each signal, so a logger's metadata provider sees the
  /// context of the signal.
  ///
  /// - Parameters:
  ///   - logger: Receives the messages.
  ///   - level: The level of all signals but failures.
  ///   - failureLevel: The level of a failure.
  ///   - name: The name of the chain, as `streams.name` in the metadata. By default the file and line of the call.
  ///   - describe: The text of a value, as `streams.value`. `nil` leaves values out, which is the default: they may be
  ///     secrets.
  @_disfavoredOverload
  public func log(
    _ logger: Logger, level: Logger.Level = .debug, failureLevel: Logger.Level = .error, name: String? = nil,
    fileID: String = #fileID, function: String = #function, line: UInt = #line,
    describing describe: ((Output) -> String)? = nil
  ) -> some Publisher<Output, Failure> {
    let journal = SignalLog(
      logger: logger, name: name ?? "\(fileID):\(line)", file: fileID, function: function, line: line)
    let counter = Counter()
    return Deferred {
      let number = counter.next()
      return self.handleEvents { _ in
        journal.log(level, "subscribed", number)
      } receiveOutput: { value in
        journal.log(
          level, "value", number, describe.map { describe in { ("streams.value", describe(value)) } })
      } receiveCompletion: { completion in
        switch completion {
        case .finished: journal.log(level, "finished", number)
        case .failure(let error):
          journal.log(failureLevel, "failed", number) { ("streams.error", "\(error)") }
        }
      } receiveCancel: {
        journal.log(level, "cancelled", number)
      } receiveRequest: { demand in
        journal.log(level, "requested", number) { ("streams.demand", "\(demand)") }
      }
    }
  }
}

private struct SignalLog {
  let logger: Logger
  let name: String
  let file: String
  let function: String
  let line: UInt

  func log(
    _ level: Logger.Level, _ signal: Logger.Message, _ number: Int, _ detail: (() -> (String, String))? = nil
  ) {
    guard logger.logLevel <= level else { return }
    var metadata: Logger.Metadata = ["streams.name": "\(name)", "streams.subscription": "\(number)"]
    if let (key, text) = detail?() { metadata[key] = "\(text)" }
    logger.log(level: level, signal, metadata: metadata, file: file, function: function, line: line)
  }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).newValue }
}
