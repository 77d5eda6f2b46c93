internal import CThreads
internal import Synchronization

/// A subscriber that is attached to a publisher in sight of an introspection.
package final class Attachment: Sendable {
  /// Counts all attachments of the process.
  package let id: Int
  /// The name of the publisher.
  package let publisher: String
  /// Whether values wait at the subscriber for its operator's demand.
  package let isChild: Bool
  /// Whether the subscription began out of sight.
  package let isAdopted: Bool
  let identifier: CombineIdentifier
  private let content: Guarded<Content>
  /// The number of the attachment below; zero for none. Relaxed: it is set once, and leads to nothing else.
  private let below: Atomic<Int>

  private struct Content {
    var subscription = WeakSubscription(nil)
    var subscriber: String
    var label: StreamLabel?
  }

  fileprivate init(
    id: Int, parent: Int?, _ publisher: String, _ subscriber: String, label: StreamLabel?,
    identifier: CombineIdentifier, isChild: Bool = false, isAdopted: Bool = false
  ) {
    self.id = id
    self.publisher = publisher
    self.identifier = identifier
    self.isChild = isChild
    self.isAdopted = isAdopted
    content = Guarded(Content(subscriber: subscriber, label: label))
    below = Atomic(parent ?? 0)
  }

  /// The attachment below this one; `nil` if none is in sight.
  package var parent: Int? {
    let id = below.load(ordering: .relaxed)
    return id == 0 ? nil : id
  }

  /// The name of the subscriber.
  package var subscriber: String { content.withLock { $0.subscriber } }

  /// The name and the place that this publisher, or the nearest one below, has.
  package var label: StreamLabel? { content.withLock { $0.label } }

  /// Adds what was not known before the chain below was found.
  fileprivate func join(_ parent: Attachment, as subscriber: String) {
    let isFirst = below.compareExchange(expected: 0, desired: parent.id, ordering: .relaxed).exchanged
    let label = parent.label
    content.withLock { content in
      if isFirst { content.subscriber = subscriber }
      if content.label == nil { content.label = label }
    }
  }

  /// The subscription, once it has arrived and until it is released.
  package var subscription: (any Subscription & AnyObject)? { content.withLock { $0.subscription.object } }

  /// Whether a subscription that began out of sight was released.
  fileprivate var isGone: Bool { isAdopted && subscription == nil }

  func store(_ subscription: any Subscription) {
    let new = WeakSubscription(subscription._held)
    content.withLock { $0.subscription = new }
  }
}

extension Attachment: Reflected {}

/// What a chain was named, and where.
package struct StreamLabel: Hashable, Sendable {
  package let name: String
  package let fileID: String
  package let line: Int

  package init(_ name: String, fileID: String, line: Int) {
    self.name = name
    self.fileID = fileID
    self.line = line
  }
}

/// A publisher that names the chain above it.
package protocol LabellingPublisher {
  var label: StreamLabel { get }
}

/// A subscriber of one of an operator's upstreams.
@usableFromInline
package protocol InletOfOperator {
  var ownerIdentifier: CombineIdentifier { get }
  /// Whether its values wait for the operator's demand.
  var isChild: Bool { get }
}

extension InletOfOperator {
  @usableFromInline package var isChild: Bool { false }
}

/// An operator that keeps the values of its upstream until they are requested.
@usableFromInline
package protocol KeepsValues {}

/// All attachments of the process that are in sight.
package enum Attachments {
  private struct State {
    var living: [Int: Attachment] = [:]
    /// By what their publishers' operators are known as.
    var ofOperator: [CombineIdentifier: Int] = [:]
    var operatorOf: [Int: CombineIdentifier] = [:]

    mutating func store(_ identifier: CombineIdentifier, of attachment: Attachment) {
      guard ofOperator[identifier] == nil else { return }
      ofOperator[identifier] = attachment.id
      operatorOf[attachment.id] = identifier
    }

    mutating func remove(_ id: Int) -> Attachment? {
      if let identifier = operatorOf.removeValue(forKey: id) { ofOperator[identifier] = nil }
      return living.removeValue(forKey: id)
    }

    func attachment(of identifier: CombineIdentifier) -> Attachment? {
      ofOperator[identifier].flatMap { living[$0] }
    }
  }

  private static let state = Guarded(State())
  private static let count = Atomic(0)

  /// Those that are neither over nor released, the oldest first. One that began out of sight stays until it is released.
  package static var living: [Attachment] {
    let all = state.withLock { Array($0.living.values) }
    let (present, gone) = (all.filter { !$0.isGone }, all.filter(\.isGone))
    for attachment in gone { forget(attachment) }
    return present.sorted { $0.id < $1.id }
  }

  /// Whether `attachment` is neither over nor known to be released.
  package static func isLiving(_ attachment: Attachment) -> Bool {
    state.withLock { $0.living[attachment.id] != nil }
  }

  /// Makes an attachment, below which is the one that the calling thread is making, or the one of the operator that
  /// subscribes.
  static func make<Upstream: Publisher, Downstream: Subscriber>(
    of publisher: Upstream, to subscriber: Downstream
  ) -> Attachment {
    let current = cthreads_swap_subscribing(0)
    _ = cthreads_swap_subscribing(current)
    let identifier = subscriber.combineIdentifier
    let inlet = subscriber as? any InletOfOperator
    let owner = inlet?.ownerIdentifier ?? identifier
    let (publisherName, subscriberName) = (name(of: publisher), name(of: subscriber))
    let own = (publisher as? any LabellingPublisher)?.label
    let known = attachment(of: owner)
    let id = count.wrappingAdd(1, ordering: .relaxed).newValue
    return state.withLock { state in
      let enclosing = state.living[Int(current)]
      // A subscriber that only passes its downstream's identifier on belongs to the attachment being made.
      let isPassedOn = enclosing?.identifier == identifier
      let parent = isPassedOn ? enclosing : known ?? enclosing
      let attachment = Attachment(
        id: id, parent: parent?.id, publisherName, subscriberName, label: own ?? parent?.label,
        identifier: identifier, isChild: inlet?.isChild ?? subscriber is any KeepsValues)
      state.living[id] = attachment
      return attachment
    }
  }

  /// Notes that `subscription` has arrived on `attachment`.
  static func attach(_ subscription: any Subscription, to attachment: Attachment) {
    let content = subscription.unwrapped
    attachment.store(content)
    state.withLock { $0.store(content.combineIdentifier, of: attachment) }
  }

  static func remove(_ attachment: Attachment) {
    withExtendedLifetime(state.withLock { $0.remove(attachment.id) }) {}
  }

  /// Removes an attachment whose subscription was released out of sight.
  private static func forget(_ attachment: Attachment) {
    remove(attachment)
    Introspections.forget(attachment)
  }

  /// The attachment of an operator, unless its subscription was released out of sight.
  private static func attachment(of identifier: CombineIdentifier) -> Attachment? {
    let known = state.withLock { $0.attachment(of: identifier) }
    // Without the lock: this may release the subscription, and what is released with it takes the lock.
    guard let known, known.isGone else { return known }
    forget(known)
    return nil
  }

  /// The attachment whose subscription is `dropper`. A subscription that began out of sight gets one.
  static func find(_ dropper: AnyObject) -> Attachment? {
    guard let subscription = dropper as? any Subscription else { return nil }
    return attachment(of: subscription.combineIdentifier) ?? adopt(subscription)
  }

  /// Adds a subscription that began out of sight, and those above it, until they are released. Those that are
  /// known join the chain. Returns its attachment.
  @discardableResult
  package static func adopt(_ subscription: any Subscription) -> Attachment? {
    var first: Attachment?
    subscription.walkUp { one, below in
      let attachment = adopt(one, below: below)
      if first == nil { first = attachment }
      return true
    }
    return first
  }

  private static func adopt(_ one: any Subscription, below: (any Subscription)?) -> Attachment {
    let identifier = one.combineIdentifier
    if let known = attachment(of: identifier) {
      if let below, let parent = attachment(of: below.combineIdentifier) {
        known.join(parent, as: name(of: below))
      }
      return known
    }
    let downstream = Mirror(reflecting: one).children.first { $0.label == "downstream" }?.value
    let subscriberName = below.map { name(of: $0) } ?? downstream.map { name(of: $0) } ?? "?"
    let id = count.wrappingAdd(1, ordering: .relaxed).newValue
    let publisherName = name(of: one)
    let (attachment, isNew) = state.withLock { state -> (Attachment, Bool) in
      if let known = state.attachment(of: identifier) { return (known, false) }
      let parent = below.flatMap { state.ofOperator[$0.combineIdentifier] }
      let attachment = Attachment(
        id: id, parent: parent, publisherName, subscriberName,
        label: parent.flatMap { state.living[$0]?.label }, identifier: identifier,
        isAdopted: true)
      attachment.store(one)
      state.living[id] = attachment
      state.store(identifier, of: attachment)
      return (attachment, true)
    }
    if isNew { Introspections.note(.adopted, on: attachment) }
    return attachment
  }

  /// The description, or the name of the type without its parameters.
  private static func name(of part: Any) -> String {
    (part as? any CustomStringConvertible)?.description ?? String("\(type(of: part))".prefix { $0 != "<" })
  }
}
