import Interleavings

/// What one atomic may do.
extension Litmus {
  /// The order of stores to one atomic is the same for everybody.
  static var coherence: [Litmus] {
    func crossed(_ name: String, _ order: Order, _ outcomes: String) -> Litmus {
      Litmus("two stores each, crossed, \(name)", outcomes) { run in
        let (x, y) = (Word(), Word())
        run.final = [x, y]
        return [(x, y), (y, x)].map { first, second in
          {
            first.store(1, order)
            second.store(2, order)
          }
        }
      }
    }
    let orders = [[0, 1, 2], [0, 2, 1]].flatMap { order in
      let pairs = (0..<3).flatMap { one in (one..<3).map { "\(order[one])\(order[$0])" } }
      return pairs.flatMap { one in pairs.map { one + $0 } }
    }
    return [
      crossed("relaxed", .relaxed, "11 12 21 22"),
      crossed("released", .releasing, "11 12 21 22"),
      crossed("sequential", .sequentiallyConsistent, "12 21 22"),
      Litmus("coherence, two reads", "00 01 02 11 12 22") { run in
        let x = Word()
        return [
          {
            x.store(1, .relaxed)
            x.store(2, .relaxed)
          },
          {
            run.note(x.load(.relaxed))
            run.note(x.load(.relaxed))
          },
        ]
      },
      Litmus(
        "coherence, two readers", orders.joined(separator: " "),
        within: .ofFourThreads
      ) { run in
        let x = Word()
        let read = {
          run.note(x.load(.relaxed))
          run.note(x.load(.relaxed))
        }
        return [{ x.store(1, .relaxed) }, { x.store(2, .relaxed) }, read, read]
      },
      Litmus("coherence, a read after a write", "11 12 22") { run in
        let x = Word()
        run.final = [x]
        return [
          {
            x.store(1, .relaxed)
            run.note(x.load(.relaxed))
          }, { x.store(2, .relaxed) },
        ]
      },
      Litmus("coherence, a write after a read", "01 02 21") { run in
        let x = Word()
        run.final = [x]
        return [
          {
            run.note(x.load(.relaxed))
            x.store(1, .relaxed)
          }, { x.store(2, .relaxed) },
        ]
      },
      Litmus("coherence, two writes", "2 3") { run in
        let x = Word()
        run.final = [x]
        return [
          {
            x.store(1, .relaxed)
            x.store(2, .relaxed)
          }, { x.store(3, .relaxed) },
        ]
      },
    ]
  }

  /// Read-modify-writes.
  static var updates: [Litmus] {
    func late(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("an update and a store that it need not know, \(name)", outcomes) { run in
        let (x, y) = (Word(), Word())
        run.final = [x]
        return [
          {
            x.store(5, .relaxed)
            y.store(1, write)
          },
          {
            run.note(y.load(read))
            run.note(x.add(1, .relaxed))
          },
        ]
      }
    }
    func failed(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("a failed exchange and a store that it need not know, \(name)", outcomes) { run in
        let (x, y) = (Word(), Word())
        return [
          {
            x.store(1, .relaxed)
            y.store(1, write)
          },
          {
            run.note(y.load(read))
            run.note(x.exchange(7, 8, .relaxed, .relaxed))
          },
        ]
      }
    }
    func exchange(_ name: String, _ outcomes: String, _ body: @escaping @Sendable (Word) -> Bool) -> Litmus {
      Litmus(name, outcomes) { run in
        let x = Word()
        return [{ run.note(body(x) ? 1 : 0) }]
      }
    }
    return [
      late("relaxed", .relaxed, .relaxed, "005 056 105 156"),
      late("released and acquired", .releasing, .acquiring, "005 056 156"),
      Litmus("two additions", "012 102") { run in
        let x = Word()
        run.final = [x]
        return (0..<2).map { _ in { run.note(x.add(1, .relaxed)) } }
      },
      Litmus("two exchanges of the same", "011 202") { run in
        let x = Word()
        run.final = [x]
        return (1...2).map { desired in { run.note(x.exchange(0, desired, .relaxed, .relaxed)) } }
      },
      failed("released and acquired", .releasing, .acquiring, "00 01 11"),
      failed("relaxed", .relaxed, .relaxed, "00 01 10 11"),
      Litmus("a failed exchange that acquires", "00 11") { run in
        let (data, flag) = (Word(), Word())
        return [
          {
            data.store(1, .relaxed)
            flag.store(1, .releasing)
          },
          {
            let seen = flag.exchange(7, 8, .relaxed, .acquiring)
            run.note(seen)
            run.note(seen == 0 ? 0 : data.load(.relaxed))
          },
        ]
      },
      exchange("a strong exchange", "1") { $0.exchange(0, 1, .relaxed, .relaxed) == 0 },
    ]
  }
}
