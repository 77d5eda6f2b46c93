#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let subjectRows: [Row] = [
  Row("b0", "PassthroughSubject → sink") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.sink(receiveValue: receive)
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("b1", "subject → map → filter → sink") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.map(triple).filter(isEven).sink(receiveValue: receive)
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("b10", "the same with 10 subscribers, a send") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      let subscriptions = (0..<10).map { _ in
        subject.map(triple).filter(isEven).sink(receiveValue: receive)
      }
      for value in 0..<count { subject.send(value) }
      for subscription in subscriptions { subscription.cancel() }
    }
  },
  Row("bcv", "CurrentValueSubject → map → filter → sink") { count in
    sum { receive in
      let subject = CurrentValueSubject<Int, Never>(0)
      let subscription = subject.map(triple).filter(isEven).sink(receiveValue: receive)
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("bn", "subject.send without subscriber") { count in
    let subject = PassthroughSubject<Int, Never>()
    for value in 0..<count { subject.send(value) }
    return count
  },
]
