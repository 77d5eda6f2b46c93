import Streams
import StreamsTesting
import Testing

private class Root: ObservableObject {
  @Published var first = 1
  var plain = "plain"
  weak var friend: Root?
}

private class Middle<Tag>: Root {
  @Published var tags: [Tag] = []
  unowned var owner: Root
  lazy var lazily = 3
  let (a, b) = (1, 2.0)

  init(owner: Root) { self.owner = owner }
}

private final class Leaf: Middle<String>, CustomReflectable {
  @Published var optional: Int? = nil
  private var closure: () -> Void = {}
  @Published private(set) var last = (1, "one")

  var customMirror: Mirror { Mirror(self, children: ["nothing": 0]) }

  func change() { last = (2, "two") }
}

private final class Bare: Middle<Never> {}

private final class Renewed: ObservableObject {
  @Published var first = 1
  @Published var second = 2

  func renew() { _first = Published(initialValue: 3) }
}

/// Calls a closure when it is deallocated.
private final class Probe {
  private let onEnd: () -> Void

  init(_ onEnd: @escaping () -> Void) { self.onEnd = onEnd }

  deinit { onEnd() }
}

@Suite("Fields of `objectWillChange`", .leavesNothing)
struct WillChangeTests {
  @Test("The published fields of a class are those of its mirror, in the same order")
  func mirror() {
    let root = Root()
    let (middle, bare) = (Middle<Int>(owner: root), Bare(owner: root))

    #expect(WillChange.fields(of: Root.self).map { "\($0.property)" } == mirrored(root))
    #expect(WillChange.fields(of: Middle<Int>.self).map { "\($0.property)" } == mirrored(middle))
    #expect(WillChange.fields(of: Bare.self).map { "\($0.property)" } == mirrored(bare))
    #expect(mirrored(middle) == ["Published<Int>", "Published<Array<Int>>"])
  }

  @Test("The published fields of a class are found even if it customizes its mirror")
  func offsets() {
    let root = Root()
    let leaf = Leaf(owner: root)
    let fields = WillChange.fields(of: Leaf.self)
    var signals = 0
    let sink = leaf.objectWillChange.sink { signals += 1 }

    leaf.first = 2
    leaf.tags = ["a"]
    leaf.optional = 3
    leaf.change()
    leaf.plain = "unpublished"

    #expect(fields.count == 4)
    #expect(Set(fields.map(\.offset)).count == 4)
    #expect(mirrored(leaf).count < 4)
    #expect(signals == 4)
    withExtendedLifetime(root) { sink.cancel() }
  }

  @Test("Each specialization of a generic class signals changes of its own published fields")
  func cached() {
    let root = Root()
    let (ints, strings, others) = (
      Middle<Int>(owner: root), Middle<String>(owner: root), Middle<Int>(owner: root)
    )
    var signals: [String] = []
    let sinks = [
      root.objectWillChange.sink { signals.append("root") },
      ints.objectWillChange.sink { signals.append("ints") },
      strings.objectWillChange.sink { signals.append("strings") },
      others.objectWillChange.sink { signals.append("others") },
    ]

    ints.tags = [1]
    strings.tags = ["a"]
    others.tags = [2]
    ints.first = 2
    strings.first = 2
    strings.plain = "unpublished"
    others.first = 2
    root.first = 2

    #expect(signals == ["ints", "strings", "others", "ints", "strings", "others", "root"])
    withExtendedLifetime((sinks, root)) {}
  }

  @Test("All threads that read `objectWillChange` concurrently receive the same publisher")
  func threads() {
    for _ in 0..<50 {
      let root = Root()
      let leaf = Shared(Leaf(owner: root))
      let seen = Guarded<[ObservableObjectPublisher]>([])
      let look: @Sendable () -> Void = {
        let publisher = leaf.value.objectWillChange
        seen.withLock { $0.append(publisher) }
      }

      race(look, look, look, look)

      let publishers = seen.withLock { $0 }
      #expect(publishers.count == 4)
      #expect(publishers.allSatisfy { $0 === publishers[0] })
      withExtendedLifetime(root) {}
    }
  }

  @Test("Published fields can be set, read and subscribed to while `objectWillChange` sends")
  func reentrant() {
    let root = Root()
    let log = Guarded<[String]>([])
    let newcomer = Recorder<Int, Never>()
    let sink = root.objectWillChange.sink { [unowned root] in
      let number = root.first
      let count = log.withLock { log in
        log.append("will change \(number)")
        return log.count
      }
      guard count == 1 else { return }
      root.$first.subscribe(newcomer)
      root.first = 5
    }
    let values = root.$first.record()

    // On another thread: a lock that is held there would hold up the one here.
    elsewhere { [root = Shared(root)] in root.value.first = 2 }

    #expect(log.withLock { $0 } == ["will change 1", "will change 1"])
    #expect(root.first == 2)
    #expect(values.values.last == root.first)
    #expect(newcomer.values.last == root.first)
    sink.cancel()
  }

  @Test("A subscriber that is released because a property wrapper was replaced can read the other properties")
  func replaced() {
    let album = Renewed()
    let log = Guarded<[Int]>([])
    do {
      let probe = Probe { [unowned album] in log.withLock { $0.append(album.second) } }
      album.objectWillChange.subscribe(
        Subscribers.Sink<Void, Never>(
          receiveCompletion: { _ in }, receiveValue: { withExtendedLifetime(probe) {} }))
    }
    album.renew()

    // On another thread: a lock that is held there would hold up the one here.
    elsewhere { [album = Shared(album)] in _ = album.value.objectWillChange }

    #expect(log.withLock { $0 } == [2])
  }

  /// What the standard library's mirrors show, from the top class down.
  private func mirrored(_ object: AnyObject) -> [String] {
    var mirrors: [Mirror] = []
    var next: Mirror? = Mirror(reflecting: object)
    while let mirror = next {
      mirrors.append(mirror)
      next = mirror.superclassMirror
    }
    return mirrors.reversed().flatMap { mirror in
      mirror.children.compactMap { child in
        let type = "\(type(of: child.value))"
        return type.hasPrefix("Published<") ? type : nil
      }
    }
  }
}
