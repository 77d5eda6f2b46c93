/// An introspection that follows attachments, and not types: it is notified of each signal once, before it is passed on.
///
/// It is called on the thread of the signal, possibly on several at once, and must not send, request or cancel.
package protocol AttachmentObserver: _Introspection {
  /// - Parameter attachment: `nil` for a value that a source without subscribers drops.
  func observe(_ signal: Signal, on attachment: Attachment?)

  /// Nothing more arrives on `attachment`, which began out of sight and was released there. Called when that is noticed,
  /// which may be late, and on any thread.
  func forget(_ attachment: Attachment)
}

extension AttachmentObserver {
  package func forget(_: Attachment) {}
}

/// What happens on an attachment.
package enum Signal {
  /// The subscriber was attached to the publisher.
  case subscribed
  /// A subscription that began out of sight was found.
  case adopted
  case subscription
  case requested(Subscribers.Demand)
  case value(SeenValue)
  case dropped(SeenValue, DropReason, by: AnyObject)
  case finished
  case failed(String)
  case cancelled
  /// The subscriber and the subscription were released without an end.
  case released
}

/// The description of a value. That of an `Int` is made when it is read.
package enum SeenValue: Hashable, Sendable {
  case integer(Int)
  case text(String)

  init<Value>(_ value: Value) {
    if Value.self == Int.self {
      self = .integer(unsafeBitCast(value, to: Int.self))
    } else if Value.self == String.self {
      self = .text(unsafeBitCast(value, to: String.self))
    } else {
      self = .text(String(describing: value))
    }
  }

  package var text: String {
    switch self {
    case .integer(let number): "\(number)"
    case .text(let text): text
    }
  }
}
