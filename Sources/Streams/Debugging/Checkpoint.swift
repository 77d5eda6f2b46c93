/// A failure, and the checkpoints that it has passed: the one next to where it began comes first.
public struct TracedFailure<Base: Error>: Error {
  /// What failed.
  public let base: Base
  /// What it passed, the first one first.
  public let checkpoints: [Checkpoint]

  /// The failure `base`, having passed `checkpoints`.
  public init(_ base: Base, checkpoints: [Checkpoint]) {
    self.base = base
    self.checkpoints = checkpoints
  }
}

extension TracedFailure: CustomStringConvertible {
  /// `timedOut, by "download" at App/Images.swift:12, by "gallery" at App/Gallery.swift:40`.
  public var description: String {
    checkpoints.reduce("\(base)") { $0 + ", by \($1)" }
  }
}

extension TracedFailure: Equatable where Base: Equatable {}
extension TracedFailure: Hashable where Base: Hashable {}

/// A place in a chain that has a name. See `checkpoint(_:fileID:line:)`.
public struct Checkpoint: Hashable, Sendable, CustomStringConvertible {
  /// What it was given to tell it from others; may be empty.
  public let name: String
  /// Where it is written.
  public let place: CallSite

  /// A checkpoint called `name` at `place`.
  public init(_ name: String, at place: CallSite) {
    self.name = name
    self.place = place
  }

  public var description: String { name.isEmpty ? "\(place)" : "\"\(name)\" at \(place)" }
}

extension Publisher {
  /// Has a failure tell that it came by here.
  ///
  /// ```swift
  /// download(url).checkpoint("download").retry(2).checkpoint("retry").assertNoFailure()
  /// ```
  ///
  /// The failure is wrapped, and the next checkpoint adds to the list: whoever prints it – a log, a trap of
  /// ``assertNoFailure(_:file:line:)`` – shows the way it took. Values pass at no cost.
  @_disfavoredOverload
  public func checkpoint(
    _ name: String = "", fileID: String = #fileID, line: Int = #line
  ) -> Publishers.MapError<Self, TracedFailure<Failure>> {
    let checkpoint = Checkpoint(name, at: CallSite(fileID: fileID, line: line))
    return mapError { TracedFailure($0, checkpoints: [checkpoint]) }
  }

  /// Has a failure that has passed a checkpoint tell that it came by here as well.
  public func checkpoint<Base: Error>(
    _ name: String = "", fileID: String = #fileID, line: Int = #line
  ) -> Publishers.MapError<Self, TracedFailure<Base>> where Failure == TracedFailure<Base> {
    let checkpoint = Checkpoint(name, at: CallSite(fileID: fileID, line: line))
    return mapError { TracedFailure($0.base, checkpoints: $0.checkpoints + [checkpoint]) }
  }
}
