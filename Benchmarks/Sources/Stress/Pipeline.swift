import Dispatch
import Streams
import StreamsFoundation

/// A pipeline, several threads that work on it, and what must come of it.
struct Pipeline {
  let name: String
  /// How many events there were, and what was wrong with them.
  let run: () -> (events: Int, complaint: String?)

  static var all: [Pipeline] {
    [merging, zipping, flattening, switching, sharing, remembering, hopping, asking, cancelling]
  }

  private static let length = 300

  private static var merging: Pipeline {
    Pipeline(name: "merge") {
      let subjects = (0..<3).map { _ in Subject() }
      let log = Log()
      let subscription = Publishers.MergeMany(subjects).scan(0) { $1 }.sink { _ in
        log.end()
      } receiveValue: {
        log.add($0)
      }
      atOnce(3) { thread in
        for number in 0..<length { subjects[thread].send(thread * 1000 + number) }
        subjects[thread].send(completion: .finished)
      }
      return withExtendedLifetime(subscription) { log.verdict(producers: 3, each: length) }
    }
  }

  private static var zipping: Pipeline {
    Pipeline(name: "zip") {
      let (one, other) = (Subject(), Subject())
      let log = Log()
      let subscription = one.zip(other).sink { _ in
        log.end()
      } receiveValue: {
        log.add($0 == $1 ? $0 : -1)
      }
      atOnce(2) { thread in
        let subject = thread == 0 ? one : other
        for number in 0..<length { subject.send(number) }
        subject.send(completion: .finished)
      }
      return withExtendedLifetime(subscription) { log.verdict(producers: 1, each: length) }
    }
  }

  private static var flattening: Pipeline {
    Pipeline(name: "flatMap") {
      let subject = Subject()
      let log = Log()
      let subscription = subject.flatMap { number in [number, number].publisher.first() }
        .sink { _ in
          log.end()
        } receiveValue: {
          log.add($0)
        }
      atOnce(3) { thread in
        for number in 0..<length { subject.send(thread * 1000 + number) }
      }
      subject.send(completion: .finished)
      return withExtendedLifetime(subscription) { log.verdict(producers: 3, each: length) }
    }
  }

  private static var switching: Pipeline {
    Pipeline(name: "switchToLatest") {
      let subjects = PassthroughSubject<Subject, Never>()
      let child = Subject()
      let log = Log()
      let subscription = subjects.switchToLatest().sink { _ in
        log.end()
      } receiveValue: {
        log.add($0)
      }
      subjects.send(child)
      atOnce(2) { thread in
        for number in 0..<length {
          if thread == 0 { child.send(number) } else if number % 10 == 0 { subjects.send(child) }
        }
      }
      subjects.send(completion: .finished)
      child.send(completion: .finished)
      return withExtendedLifetime(subscription) { log.verdict(atMost: length) }
    }
  }

  private static var sharing: Pipeline {
    Pipeline(name: "share") {
      let subject = Subject()
      let shared = subject.map { $0 }.share()
      let log = Log()
      let subscription = shared.sink { _ in
        log.end()
      } receiveValue: {
        log.add($0)
      }
      atOnce(3) { thread in
        if thread == 0 { return (0..<length).forEach { subject.send($0) } }
        for _ in 0..<20 { shared.sink { _ in }.cancel() }
      }
      subject.send(completion: .finished)
      return withExtendedLifetime(subscription) { log.verdict(producers: 1, each: length) }
    }
  }

  private static var remembering: Pipeline {
    Pipeline(name: "CurrentValueSubject") {
      let subject = CurrentValueSubject<Int, Never>(0)
      let log = Log()
      let subscription = subject.sink { log.add($0) }
      atOnce(3) { thread in
        for number in 0..<length { subject.send(thread * 1000 + number) }
      }
      let (events, last) = log.state
      subject.send(completion: .finished)
      return withExtendedLifetime(subscription) {
        (events, last == subject.value ? nil : "\(last) is not the last value")
      }
    }
  }

  private static var hopping: Pipeline {
    Pipeline(name: "receive(on:)") {
      let subject = Subject()
      let log = Log()
      let done = DispatchSemaphore(value: 0)
      let subscription = subject.receive(on: DispatchQueue.global())
        .sink { _ in
          log.end()
          done.signal()
        } receiveValue: {
          log.add($0)
        }
      atOnce(2) { thread in
        for number in 0..<length { subject.send(thread * 1000 + number) }
      }
      subject.send(completion: .finished)
      done.wait()
      return withExtendedLifetime(subscription) { log.verdict(producers: 2, each: length) }
    }
  }

  private static var asking: Pipeline {
    Pipeline(name: "buffer") {
      let subject = Subject()
      let log = Log()
      let asker = Asker(log)
      subject.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest).subscribe(asker)
      atOnce(3) { thread in
        for number in 0..<length {
          if thread < 2 { subject.send(thread * 1000 + number) } else { asker.ask(2) }
        }
      }
      subject.send(completion: .finished)
      return log.verdict(producers: 2, each: length)
    }
  }

  private static var cancelling: Pipeline {
    Pipeline(name: "cancel") {
      let (one, other) = (Subject(), Subject())
      let log = Log()
      let subscription = one.combineLatest(other).map { $0 + $1 }.prefix(200).sink { _ in
        log.end()
      } receiveValue: { _ in
        log.add(0)
      }
      atOnce(3) { thread in
        if thread == 2 { return subscription.cancel() }
        for number in 0..<length { (thread == 0 ? one : other).send(number) }
      }
      return log.verdict(atMost: 200)
    }
  }
}

typealias Subject = PassthroughSubject<Int, Never>

/// Runs `body` on several threads at the same time.
func atOnce(_ count: Int, _ body: (Int) -> Void) {
  withoutActuallyEscaping(body) { body in
    nonisolated(unsafe) let body = body  // made to be used from several threads: that is what is put under stress
    DispatchQueue.concurrentPerform(iterations: count) { body($0) }
  }
}
