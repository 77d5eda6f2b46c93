public import Streams
public import StreamsTesting

/// What an operator is built on: sources to listen to, and a scheduler.
public final class Stage {
  public let scheduler = VirtualScheduler.virtual
  public let sources: [Source]
  /// The operator's subscriptions to the sources, in the order in which they were made.
  public internal(set) var lines: [Line] = []
  /// What the sources say as soon as they have handed over a subscription, and as soon as they are asked.
  var onSubscription: [Signal] = []
  var onRequest: [Signal] = []
  unowned let play: Play
  private var kept: [AnyCancellable] = []

  init(_ count: Int, for play: Play) {
    self.play = play
    sources = (0..<count).map(Source.init)
    for source in sources { source.stage = self }
  }

  public subscript(number: Int) -> Source { sources[number] }

  /// Keeps a connection alive as long as the stage.
  public func keep(_ connection: AnyCancellable) { kept.append(connection) }

  func popOnSubscription() -> Signal? { onSubscription.isEmpty ? nil : onSubscription.removeFirst() }
  func popOnRequest() -> Signal? { onRequest.isEmpty ? nil : onRequest.removeFirst() }
}
