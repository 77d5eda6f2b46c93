public import Foundation
public import Streams
internal import StreamsExtras

extension LoadingTask {
  /// The response. Waits for the end of the task.
  ///
  /// Throws ``ImagePipeline/Error/cancelled`` if the task is cancelled. Cancelling the Swift task that waits also
  /// cancels this task, even if others wait for it.
  public var response: Response {
    get async throws(ImagePipeline.Error) {
      if let result = status.result { return try result.get() }
      // A closure of a request may load from the same pipeline.
      let result = try await LoadTurn.waiting {
        await withTaskCancellationHandler {
          await state.wait(in: { $1(&$0.waiting) }, info: (), ifCancelled: nil) { $0.status.result }
        } onCancel: {
          cancel()
        }
      }
      return try result.get()
    }
  }

  // MARK: Asynchronous sequences

  /// The progress of the load, beginning with the present one. A slow consumer receives only the latest.
  public var progress: some AsyncSequence<LoadProgress, Never> {
    progressPublisher.values(buffering: .bufferingNewest(1))
  }

  /// The previews that arrive during the iteration, if there are any.
  public var previews: some AsyncSequence<Response, Never> {
    previewPublisher.values(buffering: .unbounded)
  }

  /// The events of the task, beginning with the progress so far. The last one is the end, even if it has already
  /// happened.
  public var events: some AsyncSequence<Event, Never> { eventPublisher.values(buffering: .unbounded) }

  // MARK: Publishers

  /// A publisher of ``progress``. It finishes with the task.
  public var progressPublisher: AnyPublisher<LoadProgress, Never> {
    statuses.map(\.progress).removeDuplicates().eraseToAnyPublisher()
  }

  /// A publisher of ``previews``. It finishes with the task.
  public var previewPublisher: AnyPublisher<Response, Never> {
    eventPublisher.compactMap { if case .preview(let response) = $0 { response } else { nil } }
      .eraseToAnyPublisher()
  }

  /// A publisher of ``events``. Each subscriber receives the end and then the completion. Of events that were not
  /// requested in time, it receives the latest.
  public var eventPublisher: AnyPublisher<Event, Never> {
    Deferred { [self] in
      let start = status
      return statuses.scan(Step(last: nil, events: [])) { $0.next($1, start: start) }
        .flatMap(maxPublishers: .max(1)) { $0.events.publisher }
    }
    .eraseToAnyPublisher()
  }

  /// The present status, its changes, and the last one for every subscriber.
  private var statuses: AnyPublisher<Status, Never> {
    Deferred { [self] in
      let watched = watched
      // The subject learns of a change after it is visible.
      return watched.prepend(status).append(Deferred { Just(self.status) })
        .scan(Newest(status: nil, isNew: false)) { $0.next($1) }
        .compactMap { $0.isNew ? $0.status : nil }
    }
    .eraseToAnyPublisher()
  }

  private var watched: CurrentValueSubject<Status, Never> {
    let (subject, isOver) = state.withLock { state in
      let subject = state.watched ?? CurrentValueSubject(state.status)
      state.watched = subject
      return (subject, state.status.result != nil)
    }
    if isOver { subject.send(completion: .finished) }
    return subject
  }

  /// Changes may overtake each other. Each status is complete, so an older one is dropped.
  private struct Newest {
    var status: Status?
    var isNew: Bool

    func next(_ next: Status) -> Newest {
      guard let status, next.number <= status.number else { return Newest(status: next, isNew: true) }
      return Newest(status: status, isNew: false)
    }
  }

  /// The events between two statuses.
  private struct Step {
    var last: Status?
    var events: [Event]

    func next(_ status: Status, start: Status) -> Step {
      var events: [Event] = []
      if status.progress != last?.progress { events.append(.progress(status.progress)) }
      if let preview = status.preview, status.previewNumber > (last ?? start).previewNumber {
        events.append(.preview(preview))
      }
      if let result = status.result { events.append(.finished(result)) }
      return Step(last: status, events: events)
    }
  }
}

extension LoadingTask where Response == ImageResponse {
  /// The image; see ``LoadingTask/response``.
  public var image: Image {
    get async throws(ImagePipeline.Error) { try await response.image }
  }
}

extension LoadingTask where Response == DataResponse {
  /// The bytes; see ``LoadingTask/response``.
  public var data: Data {
    get async throws(ImagePipeline.Error) { try await response.data }
  }
}
