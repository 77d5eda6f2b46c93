import Foundation
import Streams
import StreamsTesting

/// Writes down what it is told on the thread on which it was made: other tests may run elsewhere.
final class Tracer: _Introspection {
  private let home = Thread.current
  private let name: String
  private let journal: Journal

  /// Called inside each hook, after it was written down.
  var onHook: (() -> Void)?

  init(_ name: String = "", journal: Journal = Journal()) {
    self.name = name
    self.journal = journal
  }

  var lines: [String] { journal.lines }

  /// What it writes down while `body` runs.
  func trace(_ body: () -> Void) -> [String] {
    enable()
    defer { disable() }
    body()
    return lines
  }

  private func note(_ line: String) {
    guard home === Thread.current else { return }
    journal.note(name + line)
    onHook?()
  }

  // MARK: Hooks

  func willReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {
    note("will attach \(word(subscriber)) to \(word(publisher))")
  }

  func didReceive<P: Publisher, S: Subscriber>(publisher: P, subscriber: S)
  where P.Failure == S.Failure, P.Output == S.Input {
    note("did attach \(word(subscriber))")
  }

  func willReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {
    note("will hand \(subscription) to \(word(subscriber))")
  }

  func didReceive<S: Subscriber>(subscriber: S, subscription: any Subscription) {
    note("did hand \(subscription)")
  }

  func willReceive<S: Subscriber>(subscriber: S, input: S.Input) {
    note("will give \(input) to \(word(subscriber))")
  }

  func didReceive<S: Subscriber>(subscriber: S, input: S.Input, resultingDemand: Subscribers.Demand) {
    note("did give \(input), \(resultingDemand) more")
  }

  func willReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {
    note("will end \(word(subscriber)) with \(completion)")
  }

  func didReceive<S: Subscriber>(subscriber: S, completion: Subscribers.Completion<S.Failure>) {
    note("did end \(word(subscriber))")
  }

  func willRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    note("will ask \(subscription) for \(demand)")
  }

  func didRequest(subscription: any Subscription, _ demand: Subscribers.Demand) {
    note("did ask \(subscription) for \(demand)")
  }

  func willCancel(subscription: any Subscription) { note("will cancel \(subscription)") }
  func didCancel(subscription: any Subscription) { note("did cancel \(subscription)") }

  /// The description, or the name of the type without its parameters.
  private func word(_ part: some Any) -> String {
    (part as? any CustomStringConvertible)?.description ?? String("\(type(of: part))".prefix { $0 != "<" })
  }
}
