import Streams
import StreamsExtras
import StreamsTesting

/// Attachments of streams on which a test records signals with times and threads of its choice.
enum StagedSignals {
  /// `Attachment` is also a type of Testing.
  typealias Place = Attachment

  /// Those that `body` makes on this thread, the lowest first.
  static func attachments(_ body: () -> Void) -> [Attachment] {
    let (timeline, witness) = (Timeline(onlyThisThread: true), Witness())
    timeline.enable()
    witness.enable()
    body()
    witness.disable()
    timeline.disable()
    let seen = witness.seen.withLock { $0 }
    return timeline.subscriptions.compactMap { seen[$0.id] }
  }

  /// The subscription of a recorder to `map`, and the one of `map` to its subject.
  static func pair() -> (below: Attachment, above: Attachment) {
    let all = attachments { _ = PassthroughSubject<Int, Never>().map { $0 }.record() }
    return (all[0], all[1])
  }

  /// The subscription of a recorder to `flatMap`, and the one of `flatMap` to a child.
  static func parentAndChild() -> (parent: Attachment, child: Attachment) {
    let all = attachments {
      let (terms, child) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let recorder = terms.flatMap { _ in child }.record()
      terms.send(1)
      withExtendedLifetime(recorder) {}
    }
    return (all[0], all.first { $0.isChild } ?? all[0])
  }

  private final class Witness: AttachmentObserver, Sendable {
    let seen = Guarded<[Int: Attachment]>([:])

    func observe(_: Signal, on attachment: Attachment?) {
      guard let attachment else { return }
      seen.withLock { $0[attachment.id] = attachment }
    }
  }
}

/// Cancels a recorder when a subscription is forgotten that was released out of sight.
final class EndingWhenForgetting: AttachmentObserver, Sendable {
  let recorder = Guarded<Recorder<Int, Never>?>(nil)
  /// The number of the newest subscription.
  let newest = Guarded(0)

  func observe(_ signal: Signal, on attachment: Attachment?) {
    if case .subscribed = signal, let attachment { newest.withLock { $0 = attachment.id } }
  }

  func forget(_: Attachment) { recorder.withLock { $0.take() }?.cancel() }
}

extension Timeline {
  /// Records a signal at a number of nanoseconds, on thread 1 and without a queue if none is given.
  func stage(
    _ signal: Signal, on attachment: Attachment?, at time: UInt64, thread: Int = 1, queue: String = ""
  ) {
    note(signal, on: attachment, time: time, thread: thread, queue: queue)
  }
}

extension Signal {
  static func text(_ words: String) -> Signal { .value(.text(words)) }
  static func drop(_ words: String, _ reason: DropReason = .noDemand) -> Signal {
    .dropped(.text(words), reason, by: SilentSource())
  }
}

private final class SilentSource: CustomStringConvertible {
  let description = "PassthroughSubject"
}
