#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let flatteningRows: [Row] = [
  Row("c01", "flatMap, ranges of 1,000, an inner value") { count in
    sum { receive in
      range(count / 1000).flatMap { base in (base..<base + 1000).publisher }.sink(receiveValue: receive)
        .cancel()
    }
  },
  Row("c02", "flatMap, n × Just") { count in
    sum { receive in range(count).flatMap { Just($0) }.sink(receiveValue: receive).cancel() }
  },
  Row("e3", "switchToLatest, n × Just") { count in
    sum { receive in range(count).map { Just($0) }.switchToLatest().sink(receiveValue: receive).cancel() }
  },
]
