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
    sum { total in
      (0..<count).publisher.map { $0 &* 3 }.filter { $0 & 1 == 0 }.reduce(0) { $0 &+ $1 }.sink {
        total.add($0)
      }.cancel()
    }
  },
  Row("a2", "erased range → map → filter → reduce → sink") { count in
    sum { total in
      range(count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.reduce(0) { $0 &+ $1 }.sink { total.add($0) }
        .cancel()
    }
  },
  Row("a3", "erased range → map → filter → sink") { count in
    sum { total in range(count).map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { total.add($0) }.cancel() }
  },
  Row("a4", "erased range → sink") { count in
    sum { total in range(count).sink { total.add($0) }.cancel() }
  },
]
