import AsyncAlgorithms

/// The rows for which AsyncAlgorithms has the same workload, or what comes closest to it.
let asyncRows: [Row] = [
  Row("a2", "sequence.async.map.filter.reduce") { count in
    total { await (0..<count).async.map { $0 &* 3 }.filter { $0 & 1 == 0 }.reduce(0) { $0 &+ $1 } }
  },
  Row("a3", "sequence.async.map.filter") { count in
    total { await added((0..<count).async.map { $0 &* 3 }.filter { $0 & 1 == 0 }) }
  },
  Row("a4", "sequence.async") { count in
    total { await added((0..<count).async) }
  },
  Row("b0", "AsyncChannel") { count in
    total { await added(channel(0..<count)) }
  },
  Row("b1", "AsyncChannel → map → filter") { count in
    total { await added(channel(0..<count).map { $0 &* 3 }.filter { $0 & 1 == 0 }) }
  },
  Row("c01", "flatMap, ranges of 1,000") { count in
    total { await added((0..<count / 1000).async.flatMap { base in (base..<base + 1000).async }) }
  },
  Row("c03", "merge of 2 channels, a send") { count in
    total { await added(merge(channel(0..<count / 2), channel(0..<count / 2))) }
  },
  Row("c04", "zip of 2 channels, a send") { count in
    total { await added(zip(channel(0..<count / 2), channel(0..<count / 2)).map { $0 &+ $1 }) }
  },
  Row("c05", "combineLatest of 2 channels, a send") { count in
    total { await added(combineLatest(channel(0..<count / 2), channel(0..<count / 2)).map { $0 &+ $1 }) }
  },
  Row("c06", "reductions") { count in
    total { await added((0..<count).async.reductions(0) { $0 &+ $1 }) }
  },
  Row("c07", "removeDuplicates") { count in
    total { await added((0..<count).async.removeDuplicates()) }
  },
  Row("c08", "prefix(while:)") { count in
    total { await added((0..<count).async.prefix(while: { $0 >= 0 })) }
  },
  Row("c11", "chain") { count in
    total { await added(chain((0..<count / 2).async, (0..<count / 2).async)) }
  },
  Row("c15", "compactMap → dropFirst") { count in
    total { await added((0..<count).async.compactMap { $0 & 1 == 0 ? $0 / 2 : nil }.dropFirst(10)) }
  },
  Row("c16", "chunks(ofCount: 16)") { count in
    total {
      var sum = 0
      for await chunk in (0..<count).async.chunks(ofCount: 16) { sum &+= chunk.count }
      return sum
    }
  },
  Row("g1", "for await over sequence.async") { count in
    total { await added((0..<count).async) }
  },
]
