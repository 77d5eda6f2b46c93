#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// What a program keeps many of, and how many bytes each takes.
struct Footprint: Sendable {
  /// What scripts call it: `p1`.
  let name: String
  let title: String
  /// Makes so many, and keeps nothing else.
  let make: @Sendable (_ count: Int) -> [AnyObject]

  init(_ name: String, _ title: String, _ make: @escaping @Sendable (_ count: Int) -> [AnyObject]) {
    self.name = name
    self.title = title
    self.make = make
  }
}

private final class Settings: ObservableObject {
  @Published var name = 0
  @Published var email = 0
  @Published var phone = 0
  @Published var street = 0
  @Published var city = 0
}

/// Subscribes so often to one subject, which the last of the objects is.
private func subscriptions(
  _ count: Int, _ subscribe: (PassthroughSubject<Int, Never>) -> AnyCancellable
) -> [AnyObject] {
  let subject = PassthroughSubject<Int, Never>()
  var all: [AnyObject] = []
  all.reserveCapacity(count + 1)
  for _ in 0..<count { all.append(subscribe(subject)) }
  all.append(subject)
  return all
}

private func tenStages(_ subject: PassthroughSubject<Int, Never>) -> AnyCancellable {
  subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.filter { $0 & 1 == 0 }
    .map { $0 &* 3 }.filter { $0 & 1 == 0 }.map { $0 &* 3 }.filter { $0 & 1 == 0 }
    .map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { (_: Int) in }
}

private let kept: [Footprint] = [
  Footprint("p1", "PassthroughSubject") { count in
    (0..<count).map { (_: Int) -> AnyObject in PassthroughSubject<Int, Never>() }
  },
  Footprint("p2", "CurrentValueSubject") { count in
    (0..<count).map { (value: Int) -> AnyObject in CurrentValueSubject<Int, Never>(value) }
  },
  Footprint("p3", "an object with five @Published") { count in
    (0..<count).map { (_: Int) -> AnyObject in Settings() }
  },
]

private let subscribed: [Footprint] = [
  Footprint("p4", "subject → sink") { count in subscriptions(count) { $0.sink { (_: Int) in } } },
  Footprint("p5", "subject → map → sink") { count in
    subscriptions(count) { $0.map { $0 &* 3 }.sink { (_: Int) in } }
  },
  Footprint("p6", "subject → (map → filter) × 5 → sink") { count in subscriptions(count, tenStages) },
  Footprint("p7", "subject → debounce → sink") { count in
    subscriptions(count) { $0.debounce(for: .seconds(60), scheduler: serialQueue).sink { (_: Int) in } }
  },
  Footprint("p8", "subject → zip → sink") { count in
    subscriptions(count) { $0.zip($0).sink { (_: (Int, Int)) in } }
  },
]

let footprints = kept + subscribed

/// What the programs understand besides; `nil` for all else:
///
///     --kept              the names of what is kept, and what it is
///     --keep COUNT NAME   keeps none, then so many; see ``endPart()``
func serveFootprints(_ arguments: [String]) -> Int32? {
  switch arguments.first {
  case "--kept":
    for footprint in footprints { print("\(footprint.name)\t\(footprint.title)") }
    return 0
  case "--keep":
    guard arguments.count == 3, let count = Int(arguments[1]),
      let footprint = footprints.first(where: { $0.name == arguments[2] })
    else { return 2 }
    // What is paid once is paid in the first.
    for count in [1, 0, count] {
      let kept = footprint.make(count)
      endPart()
      withExtendedLifetime(kept) {}
    }
    return 0
  default: return nil
  }
}
