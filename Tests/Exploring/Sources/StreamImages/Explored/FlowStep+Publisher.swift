extension FlowStep where Output: JobValue {
  /// A step of what a publisher sends.
  package init(_ publisher: @escaping @Sendable () -> AnyPublisher<Output, ImagePipeline.Error>) {
    self.init { run, receive in
      run.hold {
        publisher().sink {
          if case .failure(let error) = $0 { receive(.failure(error)) }
        } receiveValue: {
          receive(.success($0))
        }
      }
    }
  }

  /// A publisher with a run for each subscriber. What is not requested waits.
  package var publisher: AnyPublisher<Output, ImagePipeline.Error> {
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
  package func publisher(
    _ key: Key, for waiter: DynamicPriority,
    _ work: @escaping @Sendable (DynamicPriority) -> AnyPublisher<Value, ImagePipeline.Error>
  ) -> AnyPublisher<Value, ImagePipeline.Error> {
    step(key, for: waiter) { priority in FlowStep { work(priority) } }.publisher
  }
}
