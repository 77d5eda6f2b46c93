import Dispatch
import Synchronization

/// What a careful programmer would write by hand for a row, with the same guarantees.
let limits: [Row] = [
  Row("a1", "three closures in a loop that can be stopped") { count in
    sum { total in
      WrittenRange(count).run { value in
        let tripled = triple(value)
        if isEven(tripled) { total.add(tripled) }
      }
    }
  },
  Row("a2", "nested callbacks, the last one adds up") { count in
    sum { total in
      WrittenRange(count).run(mapped(triple, filtered(isEven) { total.add($0) }))
    }
  },
  Row("a3", "nested callbacks") { count in
    written { WrittenRange(count).run(mapped(triple, filtered(isEven, $0))) }
  },
  Row("a4", "a callback in a loop that can be stopped") { count in
    written { WrittenRange(count).run($0) }
  },
  Row("b0", "a list of callbacks under a lock") { count in
    written { receive in
      let subject = WrittenSubject()
      subject.add(receive)
      for value in 0..<count { subject.send(value) }
    }
  },
  Row("b1", "the same with nested callbacks") { count in
    written { receive in
      let subject = WrittenSubject()
      subject.add(mapped(triple, filtered(isEven, receive)))
      for value in 0..<count { subject.send(value) }
    }
  },
  Row("b10", "the same ten times") { count in
    written { receive in
      let subject = WrittenSubject()
      for _ in 0..<10 { subject.add(mapped(triple, filtered(isEven, receive))) }
      for value in 0..<count { subject.send(value) }
    }
  },
  Row("d1", "a callback in a dictionary, its token in a set") { count in
    written { receive in
      let subject = WrittenSubject()
      var tokens: Set<Token> = []
      for _ in 0..<count {
        tokens.insert(subject.subscribe(mapped(triple, filtered(isEven, receive))))
        tokens.removeAll(keepingCapacity: true)
      }
    }
  },
  Row("d3", "a callback in a dictionary, and its token") { count in
    written { receive in
      let subject = WrittenSubject()
      for _ in 0..<count { _ = subject.subscribe(receive) }
    }
  },
  Row("e1", "an array under a lock, drained in batches on a queue") { count in
    let inbox = Inbox()
    let total = written { receive in
      for value in 0..<count { inbox.put(value, receive) }
      inbox.queue.sync {}
    }
    return total
  },
  Row("f2", "two threads, a lock, a list of callbacks") { count in
    written { receive in
      let subject = WrittenSubject()
      let lock = Mutex(())
      subject.add { value in lock.withLock { _ in receive(value) } }
      DispatchQueue.concurrentPerform(iterations: 2) { _ in
        for value in 0..<count / 2 { subject.send(value) }
      }
    }
  },
  Row("h1", "twenty nested callbacks under a lock") { count in
    written { receive in
      let subject = WrittenSubject()
      subject.add((0..<20).reduce(receive) { next, _ in mapped(triple, next) })
      for value in 0..<count { subject.send(value) }
    }
  },
]

private final class Inbox: Sendable {
  let queue = DispatchQueue(label: "limits")
  private let values = Mutex<[Int]>([])

  @inline(never)
  func put(_ value: Int, _ receive: @escaping @Sendable (Int) -> Void) {
    let isFirst = values.withLock { values in
      values.append(value)
      return values.count == 1
    }
    guard isFirst else { return }
    queue.async { [self] in
      let batch = values.withLock { values in
        defer { values = [] }
        return values
      }
      for value in batch { receive(value) }
    }
  }
}
