import Foundation
import Streams

/// What a subscriber has seen. Written without a lock on purpose: deliveries are serial, or the sanitizer complains.
final class Log {
  private var numbers: [Int] = []
  private var completions = 0
  private var isInside = false
  private var overlaps = 0

  func add(_ number: Int) {
    if isInside { overlaps += 1 }
    isInside = true
    numbers.append(number)
    isInside = false
  }

  func end() { completions += 1 }

  var state: (count: Int, last: Int) { (numbers.count, numbers.last ?? -1) }

  /// Each producer's numbers all came, in order, then one completion.
  func verdict(producers: Int, each count: Int) -> (Int, String?) {
    if overlaps > 0 { return (numbers.count, "\(overlaps) deliveries overlap") }
    if completions != 1 { return (numbers.count, "\(completions) completions") }
    for producer in 0..<producers {
      let mine = numbers.filter { $0 / 1000 == producer }
      if !mine.elementsEqual((0..<count).map { producer * 1000 + $0 }) {
        return (numbers.count, "\(mine.count) of \(count) values of producer \(producer), or not in order")
      }
    }
    return (numbers.count, nil)
  }

  func verdict(atMost count: Int) -> (Int, String?) {
    if overlaps > 0 { return (numbers.count, "\(overlaps) deliveries overlap") }
    return (numbers.count, numbers.count <= count && completions <= 1 ? nil : "\(numbers.count) values")
  }
}

/// A subscriber that is asked from another thread to ask for more.
final class Asker: Subscriber {
  private let log: Log
  private var subscription: (any Subscription)?

  init(_ log: Log) { self.log = log }

  func ask(_ count: Int) { subscription?.request(.max(count)) }

  func receive(subscription: any Subscription) { self.subscription = subscription }

  func receive(_ number: Int) -> Subscribers.Demand {
    log.add(number)
    return .none
  }

  func receive(completion _: Subscribers.Completion<Never>) {
    log.end()
    subscription = nil
  }
}
