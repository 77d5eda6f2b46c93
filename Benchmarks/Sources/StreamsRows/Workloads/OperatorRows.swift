#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let operatorRows: [Row] = [
  Row("c06", "scan") { count in
    sum { total in range(count).scan(0) { $0 &+ $1 }.sink { total.add($0) }.cancel() }
  },
  Row("c07", "removeDuplicates") { count in
    sum { total in range(count).removeDuplicates().sink { total.add($0) }.cancel() }
  },
  Row("c08", "prefix(while:)") { count in
    sum { total in range(count).prefix(while: { $0 >= 0 }).sink { total.add($0) }.cancel() }
  },
  Row("c09", "handleEvents") { count in
    sum { total in
      range(count).handleEvents(receiveOutput: { total.add($0) }).sink { total.add($0) }.cancel()
    }
  },
  Row("c11", "append") { count in
    sum { total in range(count / 2).append(range(count / 2)).sink { total.add($0) }.cancel() }
  },
  Row("c12", "catch, no failure") { count in
    sum { total in
      range(count).setFailureType(to: Broken.self).catch { _ in Just(0) }.sink { total.add($0) }.cancel()
    }
  },
  Row("c15", "compactMap → dropFirst") { count in
    sum { total in
      range(count).compactMap { $0 & 1 == 0 ? $0 / 2 : nil }.dropFirst(10).sink { total.add($0) }.cancel()
    }
  },
  Row("c16", "collect(16)") { count in
    sum { total in range(count).collect(16).sink { total.add($0.count) }.cancel() }
  },
  Row("c17", "subject → buffer(128, byRequest)") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let subscription =
        subject
        .buffer(size: 128, prefetch: .byRequest, whenFull: .dropOldest)
        .sink { total.add($0) }
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
]
