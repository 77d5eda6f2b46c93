#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// What a class of the main actor holds, as view models do.
@MainActor
private final class Model {
  @Published var value = 0
  var title = 0 { didSet { total &+= title } }
  private(set) var total = 0
}

/// A publisher whose type its function hides.
@inline(never)
private func loaded(_ value: Int) -> AnyPublisher<Int, Never> { Just(value).eraseToAnyPublisher() }

/// Closures and properties of the main actor, and values that come from there.
let mainActorRows: [Row] = [
  Row("m1", "PassthroughSubject → sink, on the main actor") { count in
    MainActor.assumeIsolated {
      sum { total in
        let subject = PassthroughSubject<Int, Never>()
        let subscription = subject.sink { total.add($0) }
        for value in 0..<count { subject.send(value) }
        subscription.cancel()
      }
    }
  },
  Row("m2", "CurrentValueSubject → map → removeDuplicates → sink, on the main actor") { count in
    MainActor.assumeIsolated {
      sum { total in
        let subject = CurrentValueSubject<Int, Never>(0)
        let subscription = subject.map { $0 &* 3 }.removeDuplicates().sink { total.add($0) }
        for value in 1...max(1, count) { subject.send(value) }
        subscription.cancel()
      }
    }
  },
  Row("m3", "subject.sink + cancel, on the main actor") { count in
    MainActor.assumeIsolated {
      sum { total in
        let subject = PassthroughSubject<Int, Never>()
        for _ in 0..<count { subject.sink { total.add($0) }.cancel() }
      }
    }
  },
  Row("m4", "subject → assign(to:on:), on the main actor") { count in
    MainActor.assumeIsolated {
      let subject = PassthroughSubject<Int, Never>(), model = Model()
      let subscription = subject.assign(to: \.title, on: model)
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
      return model.total
    }
  },
  Row("m5", "subject → assign(to: &$value), on the main actor") { count in
    MainActor.assumeIsolated {
      let subject = PassthroughSubject<Int, Never>(), model = Model()
      subject.assign(to: &model.$value)
      for value in 0..<count { subject.send(value) }
      return model.value
    }
  },
  Row("m6", "AnyCancellable + cancel, on the main actor") { count in
    MainActor.assumeIsolated {
      sum { total in
        for value in 0..<count { AnyCancellable { total.add(value) }.cancel() }
      }
    }
  },
  Row("c18", "n × erased Just → map → sink") { count in
    sum { total in
      for value in 0..<count { loaded(value).map { $0 &* 3 }.sink { total.add($0) }.cancel() }
    }
  },
]
