import StreamImages

extension Model {
  /// Two to four requests each. The first ones are as narrow as can be.
  static var all: [Model] { narrow + wide + interrupted }

  private static let (a, b, other) = ("one/a", "one/b", "two/a")

  private static var narrow: [Model] {
    [
      Model(name: "damaged", asks: [.image(a), .image(b)], outcomes: .damaged),
      Model(name: "damaged, shared", asks: [.image(a), .processed(a)], outcomes: .damaged, reorderings: 0),
      Model(name: "damaged, encoded", asks: [.encoded(a), .encoded(b)], outcomes: .damaged, reorderings: 0),
      Model(name: "damaged headers", asks: [.bytes(a), .image(b)], outcomes: .damagedHeaders),
      Model(name: "damaged headers, encoded", asks: [.encoded(a), .bytes(a)], outcomes: .damagedHeaders),
      Model(name: "failing", asks: [.processed(a), .processed(b)], outcomes: .failing, reorderings: 0),
      Model(
        name: "failing, shared", asks: [.processed(a), .bytes(a)], outcomes: .failing,
        reorderings: 0),
      Model(name: "failing, encoded", asks: [.encoded(a), .encoded(a)], outcomes: .failing),
      Model(name: "retried", asks: [.image(a), .image(other)], outcomes: .retried),
      Model(
        name: "retried, encoded", asks: [.encoded(a), .encoded(other)], outcomes: .retried, reorderings: 0),
      Model(name: "retried, nested", asks: [.montage(.image(a)), .image(other)], outcomes: .retried),
      Model(name: "nested", asks: [.montage(.image(a)), .montage(.image(b))]),
      Model(name: "nested, shared", asks: [.montage(.image(a)), .image(a)]),
      Model(name: "nested, encoded", asks: [.montage(.encoded(a)), .print(.encoded(b))]),
      Model(name: "nested, printed", asks: [.print(.encoded(a)), .encoded(a)]),
      Model(name: "nested, copied", asks: [.copy(.bytes(a)), .copy(.bytes(a))]),
      Model(name: "nested, deep", asks: [.montage(.copy(.processed(a))), .image(a)]),
      Model(name: "delegate", asks: [.image(a), .image(b)], beforeLoad: (a, .image(b))),
      Model(name: "delegate, encoded", asks: [.encoded(a), .image(b)], beforeLoad: (a, .encoded(b))),
      Model(name: "invalidated, computing", asks: [.image(a), .print(.encoded(b))], invalidates: true),
      Model(
        name: "stored", asks: [.stored(a), .removal(a)], outcomes: Outcomes(store: ["done", "failure"])),
      Model(name: "flushed", asks: [.stored(a), .flush]),
      Model(
        name: "variants", asks: [.processed(a), .encoded(a)], outcomes: .damaged, policy: .storeAll,
        reorderings: 0),
    ]
  }

  private static var wide: [Model] {
    [
      Model(
        name: "four", asks: [.image(a), .image(b), .image(other), .bytes(a)], outcomes: .damaged,
        cancellations: 0),
      Model(name: "four, encoded", asks: [.encoded(a), .encoded(b), .encoded(other), .image(a)]),
      Model(
        name: "four, retried", asks: [.image(a), .encoded(b), .image(other), .bytes(other)],
        outcomes: .retried,
        cancellations: 0),
      Model(
        name: "four, nested",
        asks: [.montage(.image(a)), .montage(.image(b)), .copy(.bytes(other)), .image(a)]),
    ].map { $0.with { ($0.width, $0.beginsTogether) = (2, true) } }
  }

  /// Requests that are cancelled, and pipelines that are invalidated, also between two jobs. They compute nothing: whether a
  /// computation has begun by then depends on threads.
  private static var interrupted: [Model] {
    [
      Model(name: "cancelled", asks: [.bytes(a), .bytes(b)], outcomes: .failing),
      Model(name: "cancelled, shared", asks: [.bytes(a), .bytes(a)]),
      Model(name: "cancelled, nested", asks: [.copy(.bytes(a)), .bytes(b)]),
      Model(name: "cancelled, retried", asks: [.bytes(a), .bytes(other)], outcomes: .retried),
      Model(name: "invalidated", asks: [.copy(.bytes(a)), .bytes(b)], invalidates: true),
    ].map { $0.with { ($0.reorderings, $0.cancelsBetweenJobs) = (0, true) } }
  }
}

extension Outcomes {
  static var damaged: Outcomes { Outcomes(read: ["nothing", "entry"], decode: ["image", "damaged"]) }
  static var damagedHeaders: Outcomes {
    Outcomes(read: ["nothing", "damaged entry"], load: ["bytes", "damaged bytes"])
  }
  static var failing: Outcomes {
    Outcomes(
      load: ["bytes", "failure"], decode: ["image", "failure"], process: ["image", "failure"],
      encode: ["bytes", "failure"], store: ["done", "failure"])
  }
  static var retried: Outcomes { Outcomes(load: ["bytes", "later"]) }
}
