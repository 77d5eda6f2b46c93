import Streams
import StreamsTesting
import Testing

@Suite("`@Published`", .leavesNothing)
struct PublishedTests {
  final class Album {
    @Published var photos = 0
    @Published(initialValue: nil) var cover: String?
  }

  @Test("A published property sends its current value, then each new one")
  func sends() {
    let album = Album()
    let recorder = album.$photos.record()

    album.photos = 1
    album.photos += 1

    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2)])
    #expect(album.photos == 2)
  }

  @Test("A published property sends a value before storing it")
  func willSet() {
    let album = Album()
    let seen = Guarded<[Int]>([])
    let recorder = album.$photos.record { recorder in
      recorder.onValue = { [unowned album] _, _ in
        let now = album.photos
        seen.withLock { $0.append(now) }
      }
    }

    album.photos = 1
    album.photos = 2
    let history = seen.withLock { $0 }

    #expect(recorder.values == [0, 1, 2])
    #expect(history == [0, 0, 1])
  }

  @Test("A published property keeps only the newest value for a subscriber without demand")
  func conflates() {
    let album = Album()
    let recorder = album.$photos.record(demand: .max(1))

    album.photos = 1
    album.photos = 2
    recorder.request(.max(1))

    #expect(recorder.values == [0, 2])
  }

  @Test("A subscriber that joins while a published property is set receives the new value")
  func subscribesDuringSet() {
    let album = Album()
    let newcomer = Recorder<Int, Never>()
    let recorder = album.$photos.record { recorder in
      recorder.onValue = { [unowned album] _, value in
        if value == 1 { album.$photos.subscribe(newcomer) }
      }
    }

    album.photos = 1

    #expect(recorder.values == [0, 1])
    #expect(newcomer.values == [1])
  }

  @Test("A published property set again inside its delivery keeps the value set last")
  func setsDuringSet() {
    let album = Album()
    let recorder = album.$photos.record { recorder in
      recorder.onValue = { [unowned album] _, value in
        if value == 1 { album.photos = 2 }
      }
    }

    album.photos = 1

    #expect(recorder.values == [0, 1, 2])
    #expect(album.photos == 2)
  }

  @Test("A published property sends its final value last if two threads set it")
  func setsElsewhere() {
    let counter = Counter()
    let recorder = counter.publisher.record { recorder in
      recorder.onValue = { _, value in
        guard value == 1 else { return }
        elsewhere { counter.number = 2 }
        counter.number = 3
      }
    }

    counter.number = 1

    #expect(recorder.values == [0, 1, 2, 3])
    #expect(counter.number == 3)
  }

  @Test("A published property can be nil")
  func optionals() {
    let album = Album()
    let recorder = album.$cover.record()

    album.cover = "sunset"
    album.cover = nil

    #expect(recorder.values == [nil, "sunset", nil])
  }

  @Test("A published property never completes, and releases its subscribers with its object")
  func lifetime() {
    let leaked = Lifetimes.leaks { lifetimes in
      let album = lifetimes.track(Album(), as: "album")
      let recorder = lifetimes.track(album.$photos.record(), as: "recorder")
      album.photos = 1
      #expect(recorder.completions.isEmpty)
    }

    #expect(leaked.isEmpty)
  }

  @Test("A published property keeps its value and publisher when another property's publisher is assigned")
  func assignedPublisher() {
    let (first, second) = (Album(), Album())
    first.photos = 1
    second.photos = 2
    let (ofFirst, ofSecond) = (first.$photos.record(), second.$photos.record())

    second.$photos = first.$photos
    second.photos = 5

    #expect(first.photos == 1 && second.photos == 5)
    #expect(ofFirst.values == [1])
    #expect(ofSecond.values == [2, 5])
  }

  @Test("A published property's subscription has Combine's name, and traps on zero demand")
  func names() async {
    let album = Album()

    #expect("\(album.$photos.record().subscriptions[0])" == "PublishedSubject")
    await #expect(processExitsWith: .failure) {
      Album().$photos.record(demand: .none).request(.none)
    }
  }
}

@Suite("`assign(to:)`", .leavesNothing)
struct PublishedAssignmentTests {
  private typealias Album = PublishedTests.Album

  @Test("`assign(to:)` assigns each value, and ignores the completion")
  func assigns() {
    let album = Album()
    let script = Script(Int.self, failure: Never.self)
    script.assign(to: &album.$photos)
    let recorder = album.$photos.record()

    script.say(1, 2)
    script.end()
    album.photos = 3

    #expect(script.asks == [.request(.unlimited)])
    #expect(recorder.events == [.subscription, .value(0), .value(1), .value(2), .value(3)])
  }

  @Test("`assign(to:)` cancels its upstream when the property is deallocated")
  func lifetime() {
    let lifetimes = Lifetimes()
    let script = Script(Int.self, failure: Never.self)
    do {
      let album = lifetimes.track(Album(), as: "album")
      script.assign(to: &album.$photos)
      script.say(1)
      #expect(album.photos == 1)
    }

    #expect(lifetimes.living.isEmpty)
    #expect(script.asks == [.request(.unlimited), .cancel])
  }

  @Test("`assign(to:)` can assign several publishers to one property independently")
  func twice() {
    let album = Album()
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    first.assign(to: &album.$photos)
    second.assign(to: &album.$photos)

    first.send(1)
    first.send(completion: .finished)
    second.send(2)

    #expect(album.photos == 2)
  }

  @Test("`assign(to:)` cancels a second subscription")
  func secondSubscription() {
    let album = Album()
    let script = Script(Int.self, failure: Never.self)
    script.assign(to: &album.$photos)
    let second = SubscriptionRecorder()

    script.session?.handOver(second)

    #expect(second.asks == [.cancel])
    #expect(script.asks == [.request(.unlimited)])
  }
}

/// A property that several threads may set.
private final class Counter: @unchecked Sendable {  // a published property has a lock of its own
  @Published var number = 0

  var publisher: Published<Int>.Publisher { $number }
}
