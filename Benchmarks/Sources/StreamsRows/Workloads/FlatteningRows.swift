#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let flatteningRows: [Row] = [
  Row("c01", "flatMap, ranges of 1,000, an inner value") { count in
    sum { total in
      range(count / 1000).flatMap { base in (base..<base + 1000).publisher }.sink { total.add($0) }
        .cancel()
    }
  },
  Row("c02", "flatMap, n × Just") { count in
    sum { total in range(count).flatMap { Just($0) }.sink { total.add($0) }.cancel() }
  },
  Row("e3", "switchToLatest, n × Just") { count in
    sum { total in range(count).map { Just($0) }.switchToLatest().sink { total.add($0) }.cancel() }
  },
]
