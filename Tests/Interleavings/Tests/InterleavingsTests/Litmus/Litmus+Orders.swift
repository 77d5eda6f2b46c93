import Interleavings

/// What several atomics may do to each other.
extension Litmus {
  /// Message passing: a flag, and what it announces.
  static var passing: [Litmus] {
    func program(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("message passing, \(name)", outcomes) { run in
        let (data, flag) = (Word(), Word())
        return [
          {
            data.store(1, .relaxed)
            flag.store(1, write)
          },
          {
            run.note(flag.load(read))
            run.note(data.load(.relaxed))
          },
        ]
      }
    }
    return [
      program("released and acquired", .releasing, .acquiring, "00 01 11"),
      program("relaxed", .relaxed, .relaxed, "00 01 10 11"),
      program("released only", .releasing, .relaxed, "00 01 10 11"),
      program("acquired only", .relaxed, .acquiring, "00 01 10 11"),
      program("sequential", .sequentiallyConsistent, .sequentiallyConsistent, "00 01 11"),
      // A fiber that is about to write goes on after another one has read, too.
      Litmus(
        "message passing, a flag that is read before and after", "000 001 011 100 101 111",
        within: .ofFewPreemptions
      ) { run in
        let (x, y) = (Word(), Word())
        return [
          {
            y.store(1, .relaxed)
            x.store(1, .relaxed)
          }, { for word in [y, x, x] { run.note(word.load(.relaxed)) } },
        ]
      },
      Litmus("message passing by way of a third", "000 001 100 101 111") { run in
        let (data, first, second) = (Word(), Word(), Word())
        return [
          {
            data.store(1, .relaxed)
            first.store(1, .releasing)
          },
          {
            let seen = first.load(.acquiring)
            run.note(seen)
            if seen == 1 { second.store(1, .releasing) }
          },
          {
            run.note(second.load(.acquiring))
            run.note(data.load(.relaxed))
          },
        ]
      },
    ]
  }

  /// Store buffering and load buffering.
  static var buffering: [Litmus] {
    func stores(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("store buffering, \(name)", outcomes) { run in
        let (x, y) = (Word(), Word())
        return [(x, y), (y, x)].map { mine, other in
          {
            mine.store(1, write)
            run.note(other.load(read))
          }
        }
      }
    }
    func loads(_ name: String, _ write: Order, _ read: Order) -> Litmus {
      Litmus("load buffering, \(name)", "00 01 10") { run in
        let (x, y) = (Word(), Word())
        return [(x, y), (y, x)].map { mine, other in
          {
            run.note(mine.load(read))
            other.store(1, write)
          }
        }
      }
    }
    return [
      stores("relaxed", .relaxed, .relaxed, "00 01 10 11"),
      stores("released and acquired", .releasing, .acquiring, "00 01 10 11"),
      stores("sequential", .sequentiallyConsistent, .sequentiallyConsistent, "01 10 11"),
      stores("sequential stores only", .sequentiallyConsistent, .acquiring, "00 01 10 11"),
      loads("relaxed", .relaxed, .relaxed),
      loads("released and acquired", .releasing, .acquiring),
    ]
  }

  /// Independent reads of independent writes.
  static var readers: [Litmus] {
    func program(_ name: String, _ write: Order, _ read: Order, _ forbidden: Set<String>) -> Litmus {
      let all = (0..<16).map { number in (0..<4).map { String(number >> (3 - $0) & 1) }.joined() }
      let outcomes = all.filter { !forbidden.contains($0) }.joined(separator: " ")
      return Litmus("independent reads of independent writes, \(name)", outcomes) { run in
        let (x, y) = (Word(), Word())
        return [{ x.store(1, write) }, { y.store(1, write) }]
          + [(x, y), (y, x)].map { first, second in
            {
              run.note(first.load(read))
              run.note(second.load(read))
            }
          }
      }
    }
    return [
      program("relaxed", .relaxed, .relaxed, []),
      program("released and acquired", .releasing, .acquiring, []),
      program("sequential", .sequentiallyConsistent, .sequentiallyConsistent, ["1010"]),
      program("sequential loads only", .relaxed, .sequentiallyConsistent, ["1010"]),
    ]
  }

  /// Release sequences: which stores pass on what an earlier one has released.
  static var sequences: [Litmus] {
    func program(_ name: String, _ outcomes: String, _ between: @escaping @Sendable (Word) -> Void) -> Litmus
    {
      Litmus("release sequence, \(name)", outcomes) { run in
        let (data, flag) = (Word(), Word())
        return [
          {
            data.store(1, .relaxed)
            flag.store(1, .releasing)
          },
          { between(flag) },
          {
            run.note(flag.load(.acquiring))
            run.note(data.load(.relaxed))
          },
        ]
      }
    }
    return [
      program("continued by an update", "00 01 11 20 21 31") { flag in _ = flag.add(2, .relaxed) },
      program("ended by a store of another", "00 01 11 20 21") { flag in flag.store(2, .relaxed) },
      Litmus("release sequence, ended by a store of the same", "00 01 11 20 21") { run in
        let (data, flag) = (Word(), Word())
        return [
          {
            data.store(1, .relaxed)
            flag.store(1, .releasing)
            flag.store(2, .relaxed)
          },
          {
            run.note(flag.load(.acquiring))
            run.note(data.load(.relaxed))
          },
        ]
      },
    ]
  }
}
