#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// A range behind an erasure: the operators that sequences do at once do not apply.
@inline(never)
func range(_ count: Int) -> AnyPublisher<Int, Never> { (0..<count).publisher.eraseToAnyPublisher() }

let sequenceRows: [Row] = [
  Row("a1", "range → map → filter → reduce → sink") { count in
    sum { (0..<count).publisher.map(triple).filter(isEven).reduce(0, add).sink(receiveValue: $0).cancel() }
  },
  Row("a2", "erased range → map → filter → reduce → sink") { count in
    sum { range(count).map(triple).filter(isEven).reduce(0, add).sink(receiveValue: $0).cancel() }
  },
  Row("a3", "erased range → map → filter → sink") { count in
    sum { range(count).map(triple).filter(isEven).sink(receiveValue: $0).cancel() }
  },
  Row("a4", "erased range → sink") { count in
    sum { range(count).sink(receiveValue: $0).cancel() }
  },
]
