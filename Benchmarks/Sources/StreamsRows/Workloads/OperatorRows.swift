#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let operatorRows: [Row] = [
  Row("c06", "scan") { count in
    sum { range(count).scan(0, add).sink(receiveValue: $0).cancel() }
  },
  Row("c07", "removeDuplicates") { count in
    sum { range(count).removeDuplicates().sink(receiveValue: $0).cancel() }
  },
  Row("c08", "prefix(while:)") { count in
    sum { range(count).prefix(while: always).sink(receiveValue: $0).cancel() }
  },
  Row("c09", "handleEvents") { count in
    sum { receive in
      range(count).handleEvents(receiveOutput: receive).sink(receiveValue: receive).cancel()
    }
  },
  Row("c11", "append") { count in
    sum { range(count / 2).append(range(count / 2)).sink(receiveValue: $0).cancel() }
  },
  Row("c12", "catch, no failure") { count in
    sum { receive in
      range(count).setFailureType(to: Broken.self).catch { _ in Just(0) }.sink(receiveValue: receive).cancel()
    }
  },
  Row("c15", "compactMap → dropFirst") { count in
    sum { receive in
      range(count).compactMap(halfOfEven).dropFirst(10).sink(receiveValue: receive).cancel()
    }
  },
  Row("c16", "collect(16)") { count in
    sum { receive in range(count).collect(16).sink { receive($0.count) }.cancel() }
  },
  Row("c17", "subject → buffer(128, byRequest)") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      let subscription =
        subject
        .buffer(size: 128, prefetch: .byRequest, whenFull: .dropOldest)
        .sink(receiveValue: receive)
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
]

private let halfOfEven = opaque { (value: Int) -> Int? in value & 1 == 0 ? value / 2 : nil }
