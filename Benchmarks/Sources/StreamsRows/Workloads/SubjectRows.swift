#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let subjectRows: [Row] = [
  Row("b0", "PassthroughSubject → sink") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.sink { total.add($0) }
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("b1", "subject → map → filter → sink") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let subscription = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { total.add($0) }
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("b10", "the same with 10 subscribers, a send") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let subscriptions = (0..<10).map { _ in
        subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { total.add($0) }
      }
      for value in 0..<count { subject.send(value) }
      for subscription in subscriptions { subscription.cancel() }
    }
  },
  Row("bcv", "CurrentValueSubject → map → filter → sink") { count in
    sum { total in
      let subject = CurrentValueSubject<Int, Never>(0)
      let subscription = subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { total.add($0) }
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
