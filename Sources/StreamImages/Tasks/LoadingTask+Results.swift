public import Foundation
public import Streams

extension LoadingTask {
  /// What comes of the task. Waits for its end.
  ///
  /// Throws ``ImagePipeline/Error/cancelled`` if it is cancelled. Cancelling the task of Swift that waits here cancels
  /// this one, also for others who wait.
  public var response: Response {
    get async throws(ImagePipeline.Error) {
      let number = state.withLock { state in
        state.lastNumber += 1
        return state.lastNumber
      }
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let result = state.withLock { state in
            if state.status.result == nil { state.waiting[number] = continuation }
            return state.status.result
          }
          if let result { continuation.resume(returning: result) }
        }
      } onCancel: {
        cancel()
      }
      return try result.get()
    }
  }

  // MARK: To be awaited

  /// How far the load is: first as it stands, then as it goes on. Who is slow gets the latest.
  public var progress: some AsyncSequence<LoadProgress, Never> {
    progressPublisher.values(buffering: .bufferingNewest(1))
  }

  /// The unfinished pictures that come from now on, if there are any.
  public var previews: some AsyncSequence<Response, Never> {
    previewPublisher.values(buffering: .unbounded)
  }

  /// What happens, beginning with the progress so far. The last is the end, also if it has come already.
  public var events: some AsyncSequence<Event, Never> { eventPublisher.values(buffering: .unbounded) }

  // MARK: To be subscribed to

  /// The same as ``progress``, as a publisher. It finishes with the task.
  public var progressPublisher: AnyPublisher<LoadProgress, Never> {
    statuses.map(\.progress).removeDuplicates().eraseToAnyPublisher()
  }

  /// The same as ``previews``, as a publisher. It finishes with the task.
  public var previewPublisher: AnyPublisher<Response, Never> {
    eventPublisher.compactMap { if case .preview(let response) = $0 { response } else { nil } }
      .eraseToAnyPublisher()
  }

  /// The same as ``events``, as a publisher. Each subscriber gets the end, then the completion; of what it has not
  /// asked for in time, the latest.
  public var eventPublisher: AnyPublisher<Event, Never> {
    Deferred { [self] in
      let start = status
      return statuses.scan(Step(last: nil, events: [])) { $0.next($1, start: start) }
        .flatMap(maxPublishers: .max(1)) { $0.events.publisher }
    }
    .eraseToAnyPublisher()
  }

  /// The status, each change of it, and, whenever one subscribes, the last.
  private var statuses: AnyPublisher<Status, Never> {
    Deferred { [self] in
      watched.append(Deferred { Just(self.status) })
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

  /// Changes may overtake each other on the way here; each status says all, so an old one may be left out.
  private struct Newest {
    var status: Status?
    var isNew: Bool

    func next(_ next: Status) -> Newest {
      guard let status, next.number <= status.number else { return Newest(status: next, isNew: true) }
      return Newest(status: status, isNew: false)
    }
  }

  /// What has happened between two statuses.
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
  /// The picture; see ``LoadingTask/response``.
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
