import Interleavings

/// What protects plain variables, and what does not.
extension Litmus {
  static var exclusion: [Litmus] {
    func dekker(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("Dekker, \(name)", outcomes) { run in
        let (x, y) = (Word(), Word())
        let data = Sample("data")
        return [(x, y), (y, x)].map { mine, other in
          {
            mine.store(1, write)
            let mayEnter = other.load(read) == 0
            if mayEnter { data.write() }
            run.note(mayEnter ? 1 : 0)
          }
        }
      }
    }
    /// Two values that are read together, or not at all: their readers look whether they have changed meanwhile.
    func seqlock(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("seqlock, \(name)", outcomes) { run in
        let (version, one, other) = (Word(), Word(), Word())
        return [
          {
            version.store(1, .relaxed)
            one.store(1, write)
            other.store(1, write)
            version.store(2, .releasing)
          },
          {
            let before = version.load(.acquiring)
            let values = [one.load(read), other.load(read)]
            let isValid = before % 2 == 0 && version.load(.relaxed) == before
            for value in isValid ? values : [9] { run.note(value) }
          },
        ]
      }
    }
    return [
      dekker("sequential", .sequentiallyConsistent, .sequentiallyConsistent, "00 01 10"),
      dekker("released and acquired", .releasing, .acquiring, "00 01 10 race"),
      seqlock("released and acquired", .releasing, .acquiring, "00 11 9"),
      seqlock("relaxed", .relaxed, .relaxed, "00 01 10 11 9"),
    ]
  }

  static var plain: [Litmus] {
    func announced(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("plain data and a flag, \(name)", outcomes) { run in
        let flag = Word(), data = Sample("data")
        return [
          {
            data.write()
            flag.store(1, write)
          },
          {
            let isThere = flag.load(read) == 1
            if isThere { data.read() }
            run.note(isThere ? 1 : 0)
          },
        ]
      }
    }
    func handedOver(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("an object that is handed over, \(name)", outcomes) { run in
        let flag = Word()
        var object: Word?
        return [
          {
            object = Word()
            flag.store(1, write)
          },
          {
            let isThere = flag.load(read) == 1
            if isThere { _ = object!.load(.relaxed) }
            run.note(isThere ? 1 : 0)
          },
        ]
      }
    }
    func checkedTwice(_ name: String, _ write: Order, _ read: Order, _ outcomes: String) -> Litmus {
      Litmus("a double-checked lock, \(name)", outcomes, within: .ofLocks) { run in
        let isMade = Word(), data = Sample("data"), lock = Key()
        let body = {
          if isMade.load(read) == 0 {
            lock.take()
            if isMade.load(.relaxed) == 0 {
              data.write()
              isMade.store(1, write)
            }
            lock.give()
          }
          data.read()
          run.note(1)
        }
        return [body, body]
      }
    }
    return [
      announced("released and acquired", .releasing, .acquiring, "0 1"),
      announced("released only", .releasing, .relaxed, "0 race"),
      announced("acquired only", .relaxed, .acquiring, "0 race"),
      handedOver("released and acquired", .releasing, .acquiring, "0 1"),
      handedOver("relaxed", .relaxed, .relaxed, "0 race"),
      checkedTwice("released and acquired", .releasing, .acquiring, "11"),
      checkedTwice("relaxed", .relaxed, .relaxed, "11 race"),
      Litmus("a lock", "00 11", within: .ofLocks) { run in
        let x = Word(), lock = Key()
        var count = 0
        return [
          {
            lock.take()
            x.store(1, .relaxed)
            count += 1
            lock.give()
          },
          {
            lock.take()
            run.note(count)
            run.note(x.load(.relaxed))
            lock.give()
          },
        ]
      },
      Litmus("two reads, and a write before", "11") { run in
        let data = Sample("data")
        data.write()
        let body = {
          data.read()
          run.note(1)
        }
        return [body, body]
      },
      Litmus("a read and a write", "race") { _ in
        let data = Sample("data")
        return [{ data.read() }, { data.write() }]
      },
    ]
  }
}
