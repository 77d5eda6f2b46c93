import Streams

/// What OpenCombine lacks.
let mergingRows: [Row] = [
  Row("c03", "merge of 2 subjects, a send") { count in
    sum { total in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      let subscription = first.merge(with: second).sink { total.add($0) }
      for value in 0..<count / 2 {
        first.send(value)
        second.send(value)
      }
      subscription.cancel()
    }
  },
  Row("c05", "combineLatest of 2 subjects, a send") { count in
    sum { total in
      let first = PassthroughSubject<Int, Never>()
      let second = PassthroughSubject<Int, Never>()
      let subscription = first.combineLatest(second).sink { total.add($0 &+ $1) }
      for value in 0..<count / 2 {
        first.send(value)
        second.send(value)
      }
      subscription.cancel()
    }
  },
]
