import Streams
import StreamsExtras
import StreamsTesting
import Synchronization

/// The ways to end a stream whose code may belong to an actor.
enum Terminal: CaseIterable {
  case sink, assign, assignToPublished, values

  /// Notes what `subject` sends, from code that belongs to `isolation`.
  func follow(
    _ subject: PassthroughSubject<Int, Never>, _ notes: Notes, on isolation: isolated (any Actor)?
  ) -> AnyCancellable {
    switch self {
    case .sink: return subject.sink { notes.note($0, on: isolation) }
    case .assign: return subject.assign(to: \.latest, on: Page(notes, isolation))
    case .assignToPublished:
      // The assignment lives as long as the property.
      let page = Lifetime(Page(notes, isolation))
      subject.assign(to: &page.content!.$latestPublished)
      return AnyCancellable { page.content = nil }
    case .values:
      var iterator = subject.values(buffering: .unbounded).makeAsyncIterator()
      let task = Task {
        while let value = await iterator.next(isolation: isolation) { notes.note(value, on: isolation) }
      }
      return AnyCancellable { task.cancel() }
    }
  }
}

/// What was noted, and how often by code that was not where it belongs.
final class Notes: Sendable {
  let recorder = Recorder<Int, Never>()
  private let home: (any Actor)?
  private let strange = Atomic(0)

  init(_ home: (any Actor)?) { self.home = home }

  var strangers: Int { strange.load(ordering: .relaxed) }

  func note(_ value: Int, on isolation: (any Actor)?) {
    if isolation !== home { strange.wrappingAdd(1, ordering: .relaxed) }
    home?.preconditionIsolated()
    _ = recorder.receive(value)
  }
}

/// Notes what is assigned to its properties.
private final class Page {
  var latest = -1 {
    didSet { notes.note(latest, on: isolation) }
  }
  @Published var latestPublished = -1

  private let notes: Notes
  private let isolation: (any Actor)?
  private var subscription: AnyCancellable?

  init(_ notes: Notes, _ isolation: (any Actor)?) {
    self.notes = notes
    self.isolation = isolation
    // A transform runs where the value is sent: where the property is set.
    subscription = $latestPublished.dropFirst().map { value in notes.note(value, on: isolation) }.sink { _ in
    }
  }
}

private final class Lifetime<Content> {
  var content: Content?

  init(_ content: Content) { self.content = content }
}
