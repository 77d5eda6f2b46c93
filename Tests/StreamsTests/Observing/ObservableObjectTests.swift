import Streams
import StreamsTesting
import Testing

private class Item: ObservableObject {
  @Published var title = "a"
  var unobserved = 0
}

private final class Photo<Tag>: Item, CustomReflectable {
  @Published var size = 1
  @Published var tags: [Tag] = []
  weak var album: Item?
  lazy var lazily = 3
  var customMirror: Mirror { Mirror(self, children: []) }
}

private final class Plain: ObservableObject {}

/// Uses a publisher when it goes.
private final class Speaker {
  let plain = Plain()
  private let say: () -> Void

  init(_ say: @escaping () -> Void) { self.say = say }

  deinit {
    plain.objectWillChange.send()
    say()
  }
}

@Suite("`objectWillChange`", .leavesNothing)
struct ObservableObjectTests {
  @Test("`objectWillChange` sends before a property changes, and before the property's publisher sends")
  func order() {
    let item = Item()
    var log: [String] = []
    let will = item.objectWillChange.sink { log.append("will change \(item.title)") }
    let title = item.$title.dropFirst().sink { log.append("\($0), still \(item.title)") }

    item.title = "b"
    item.unobserved = 1

    #expect(log == ["will change a", "b, still a"])
    withExtendedLifetime((will, title)) {}
  }

  @Test("`objectWillChange` sends for all published properties, including inherited and unmirrored ones")
  func allFields() {
    let photo = Photo<Int>()
    var signals = 0
    let sink = photo.objectWillChange.sink { signals += 1 }

    photo.title = "b"
    photo.size = 2
    photo.tags = [1]

    #expect(signals == 3)
    withExtendedLifetime(sink) {}
  }

  @Test("`objectWillChange` is the same publisher each time, with or without published properties")
  func stable() {
    let item = Item()
    let plain = Plain()

    #expect(item.objectWillChange === item.objectWillChange)
    #expect(plain.objectWillChange === plain.objectWillChange)
    #expect(plain.objectWillChange !== Plain().objectWillChange)
  }

  @Test("`objectWillChange` does not retain its object, and is released with it")
  func lifetimes() {
    let leaked = Lifetimes.leaks { lifetimes in
      for _ in 0..<200 {
        let plain = Plain()
        lifetimes.track(plain, as: "an object")
        _ = plain.objectWillChange
      }
      let item = Item()
      lifetimes.track(item, as: "an item")
      let sink = item.objectWillChange.sink { _ in }
      sink.cancel()
    }

    #expect(leaked.isEmpty)
  }

  @Test(
    "`objectWillChange` releases the subscribers of a deallocated object without published properties",
    arguments: [false, true])
  func followers(_ hasProperties: Bool) {
    let (plain, item) = (Plain(), Item())
    let lifetimes = Lifetimes()
    for _ in 0..<3 {
      let plain = lifetimes.track(Plain(), as: "an object")
      let probe = lifetimes.probe("a closure")
      plain.objectWillChange.subscribe(listener { _ = probe.name })
      lifetimes.track(plain.objectWillChange.record(), as: "a subscriber")
    }

    // Each use of any object's publisher looks at two of those objects, of which other tests may have some.
    for _ in 0..<1000 where !lifetimes.living.isEmpty {
      if hasProperties { item.objectWillChange.send() } else { plain.objectWillChange.send() }
    }

    #expect(lifetimes.living.isEmpty)
  }

  @Test("`objectWillChange` holds no lock while it releases subscribers of a deallocated object")
  func followersThatSpeak() {
    let log = Guarded<[String]>([])
    for number in 0..<2 {
      let plain = Plain()
      let speaker = Speaker { log.withLock { $0.append("\(number)") } }
      plain.objectWillChange.subscribe(listener { _ = speaker.plain })
    }

    let plain = Plain()
    for _ in 0..<1000 where log.withLock({ $0.count < 2 }) { plain.objectWillChange.send() }

    #expect(log.withLock { $0.sorted() } == ["0", "1"])
  }

  /// Never cancels.
  private func listener(_ body: @escaping () -> Void) -> AnySubscriber<Void, Never> {
    AnySubscriber(receiveSubscription: { $0.request(.unlimited) }) { _ in
      body()
      return .none
    }
  }

  @Test("`objectWillChange` sends when `assign(to:)` changes a property")
  func assigned() {
    let item = Item()
    var signals = 0
    let sink = item.objectWillChange.sink { signals += 1 }

    ["b", "c"].publisher.assign(to: &item.$title)

    #expect(signals == 2)
    #expect(item.title == "c")
    withExtendedLifetime(sink) {}
  }

  @Test("`ObservableObjectPublisher` treats any request as unlimited demand")
  func demand() {
    let publisher = ObservableObjectPublisher()
    let recorder = publisher.record(demand: .max(1))

    for _ in 0..<3 { publisher.send() }

    #expect(recorder.values.count == 3)
  }
}
