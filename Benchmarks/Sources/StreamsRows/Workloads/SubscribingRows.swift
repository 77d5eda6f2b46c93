#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let subscribingRows: [Row] = [
  Row("c13", "n × Fail.catch(Just)") { count in
    sum { receive in
      for value in 0..<count {
        Fail<Int, Broken>(error: Broken()).catch { _ in Just(value) }.sink(receiveValue: receive).cancel()
      }
    }
  },
  Row("c14", "n × Just.map.sink") { count in
    sum { receive in
      for value in 0..<count { Just(value).map(triple).sink(receiveValue: receive).cancel() }
    }
  },
  Row("d1", "subscribe + store(in:) + cancel") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      var subscriptions: Set<AnyCancellable> = []
      for _ in 0..<count {
        subject.map(triple).filter(isEven).sink(receiveValue: receive).store(in: &subscriptions)
        subscriptions.removeAll(keepingCapacity: true)
      }
    }
  },
  Row("d2", "1,000 subscriptions, then cancel all, a subscription") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      var subscriptions: Set<AnyCancellable> = []
      for _ in 0..<count / 1000 {
        for _ in 0..<1000 {
          subject.map(triple).filter(isEven).sink(receiveValue: receive).store(in: &subscriptions)
        }
        subscriptions.removeAll()
      }
    }
  },
  Row("d3", "subject.sink + cancel") { count in
    sum { receive in
      let subject = PassthroughSubject<Int, Never>()
      for _ in 0..<count { subject.sink(receiveValue: receive).cancel() }
    }
  },
  Row("e2", "n × Future.sink") { count in
    sum { receive in
      for value in 0..<count {
        Future<Int, Never> { $0(.success(value)) }.sink(receiveValue: receive).cancel()
      }
    }
  },
]
