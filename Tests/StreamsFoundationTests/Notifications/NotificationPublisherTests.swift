import Foundation
import Streams
import StreamsFoundation
import StreamsTesting
import Testing

@Suite("`NotificationCenter.Publisher`")
struct NotificationPublisherTests {
  let center = NotificationCenter()
  let name = Notification.Name("changed")

  @Test("A notification publisher sends notifications of its name within demand until cancelled")
  func posts() {
    let recorder = center.publisher(for: name).record(demand: .max(2))

    for number in 1...3 { center.post(name: name, object: nil, userInfo: ["number": number]) }
    center.post(name: Notification.Name("other"), object: nil)
    recorder.request(.max(1))
    center.post(name: name, object: nil, userInfo: ["number": 4])
    recorder.cancel()
    center.post(name: name, object: nil, userInfo: ["number": 5])

    #expect(recorder.values.map { $0.userInfo?["number"] as? Int } == [1, 2, 4])
    #expect(recorder.completions.isEmpty)
  }

  @Test(
    "A notification that another thread posts waits until `receive(subscription:)` has returned (law X19)")
  func arrival() {
    let recorder = Recorder<Notification, Never>(demand: .none)
    var early: Int?
    recorder.onSubscription = { [center, name] recorder in
      recorder.request(.unlimited)
      let isPosted = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        center.post(name: name, object: nil)
        isPosted.signal()
      }
      isPosted.wait()
      early = recorder.values.count
    }

    center.publisher(for: name).subscribe(recorder)

    #expect(early == 0)
    #expect(recorder.values.count == 1)
    recorder.cancel()
  }

  @Test("Threads that post notifications wait while one is delivered and many others wait")
  func floods() {
    let (posted, delivered, most) = (Guarded(0), Guarded(0), Guarded(0))
    let cancellable = center.publisher(for: name).sink { _ in
      let end = DispatchTime.now() + .microseconds(20)
      while DispatchTime.now() < end {}
      delivered.withLock { $0 += 1 }
    }

    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      for _ in 0..<10_000 {
        center.post(name: name, object: nil)
        let count = posted.withLock { posted in
          posted += 1
          return posted
        }
        let waiting = count - delivered.withLock { $0 }
        most.withLock { $0 = max($0, waiting) }
      }
    }

    #expect(most.withLock { $0 } < 4096)
    cancellable.cancel()
  }

  @Test("A notification publisher accepts a request for no values")
  func toleratesNothing() {
    let recorder = center.publisher(for: name).record(demand: .none)
    defer { recorder.cancel() }

    recorder.request(.none)
    center.post(name: name, object: nil)

    #expect(recorder.events.count == 1)
  }

  @Test("A notification publisher sends only notifications of its object")
  func objects() {
    let mine = NSObject()
    let recorder = center.publisher(for: name, object: mine).record()
    defer { recorder.cancel() }

    center.post(name: name, object: NSObject())
    center.post(name: name, object: mine)

    #expect(recorder.values.count == 1)
  }

  @Test("A notification publisher observes separately for each subscriber")
  func independent() {
    let publisher = center.publisher(for: name)
    center.post(name: name, object: nil)
    let first = publisher.record()
    center.post(name: name, object: nil)
    let second = publisher.record()
    center.post(name: name, object: nil)

    #expect(first.values.count == 2)
    #expect(second.values.count == 1)
    first.cancel()
    second.cancel()
  }

  @Test("Notification publishers of the same center, name and object are equal")
  func equality() {
    let object = NSObject()

    #expect(center.publisher(for: name) == center.publisher(for: name))
    #expect(center.publisher(for: name, object: object) != center.publisher(for: name))
    #expect(center.publisher(for: name) != NotificationCenter().publisher(for: name))
  }

  @Test("A cancelled notification subscription releases its subscriber")
  func lifetimes() {
    let leaked = Lifetimes.leaks { lifetimes in
      let recorder = center.publisher(for: name).record()
      lifetimes.track(recorder, as: "the subscriber")
      #expect("\(recorder.subscriptions[0])" == "NotificationCenter Observer")
      recorder.cancel()
    }

    #expect(leaked.isEmpty)
  }

  @Test("A cancelled notification subscription releases its center and object")
  func releasesCentre() {
    var kept: [any Subscription] = []
    let leaked = Lifetimes.leaks { lifetimes in
      let center = lifetimes.track(NotificationCenter(), as: "the centre")
      let object = lifetimes.track(NSObject(), as: "the object")
      let recorder = center.publisher(for: name, object: object).record()
      kept = recorder.subscriptions
      recorder.cancel()
    }

    #expect(leaked.isEmpty)
    #expect(kept.count == 1)
  }
}
