#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let zippingRows: [Row] = [
  Row("c04", "zip of 2 subjects, a send") { count in
    sum { total in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      let subscription = first.zip(second).sink { total.add($0 &+ $1) }
      for value in 0..<count / 2 {
        first.send(value)
        second.send(value)
      }
      subscription.cancel()
    }
  },
  Row("c10", "subject → map → share × 5 subscribers, a send") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let shared = subject.map { $0 &* 3 }.share()
      let subscriptions = (0..<5).map { _ in shared.sink { total.add($0) } }
      for value in 0..<count { subject.send(value) }
      for subscription in subscriptions { subscription.cancel() }
    }
  },
]
