#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

// In several statements, for the type checker: in OpenCombine `map` means too many things for one of twenty.

let deepRows: [Row] = [
  Row("h1", "subject → 20 × map → sink") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      let five = subject.map(triple).map(triple).map(triple).map(triple).map(triple)
      let ten = five.map(triple).map(triple).map(triple).map(triple).map(triple)
      let fifteen = ten.map(triple).map(triple).map(triple).map(triple).map(triple)
      let twenty = fifteen.map(triple).map(triple).map(triple).map(triple).map(triple)
      let subscription = twenty.sink(receiveValue: receive)
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("h2", "subject → 10 × (map → filter) → sink") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      let two = subject.map(triple).filter(always).map(triple).filter(always)
      let four = two.map(triple).filter(always).map(triple).filter(always)
      let six = four.map(triple).filter(always).map(triple).filter(always)
      let eight = six.map(triple).filter(always).map(triple).filter(always)
      let ten = eight.map(triple).filter(always).map(triple).filter(always)
      let subscription = ten.sink(receiveValue: receive)
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("h3", "erased range → 10 × (map → filter) → sink") { count in
    sum { receive in
      let two = range(count).map(triple).filter(always).map(triple).filter(always)
      let four = two.map(triple).filter(always).map(triple).filter(always)
      let six = four.map(triple).filter(always).map(triple).filter(always)
      let eight = six.map(triple).filter(always).map(triple).filter(always)
      let ten = eight.map(triple).filter(always).map(triple).filter(always)
      ten.sink(receiveValue: receive).cancel()
    }
  },
]
