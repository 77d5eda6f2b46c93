import StreamImages
import Streams

extension FlowStep where Output: JobValue {
  /// A publisher with a run for each subscriber. What is not requested waits.
  var publisher: AnyPublisher<Output, ImagePipeline.Error> {
    ResultPublisher("FlowStep") { subscription in
      let run = StepRun()
      begin(run) { outcome in
        switch outcome {
        case .success(let value) where value.isPreview: subscription.show(value)
        case .success(let value): subscription.finish(value)
        case .failure(let error): subscription.fail(error)
        }
      }
      return AnyCancellable { run.cancel() }
    }
    .eraseToAnyPublisher()
  }
}

extension JobTable {
  func publisher(
    _ key: Key, for waiter: DynamicPriority, _ work: @escaping Work
  ) -> AnyPublisher<Value, ImagePipeline.Error> { step(key, for: waiter, work).publisher }
}

extension ScriptedWork {
  var step: FlowStep<Output> {
    FlowStep { [self] run, receive in
      run.hold {
        publisher.sink {
          if case .failure(let error) = $0 { receive(.failure(error)) }
        } receiveValue: {
          receive(.success($0))
        }
      }
    }
  }
}
