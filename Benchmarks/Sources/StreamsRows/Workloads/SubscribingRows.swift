#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

let subscribingRows: [Row] = [
  Row("c13", "n × Fail.catch(Just)") { count in
    sum { total in
      for value in 0..<count {
        Fail<Int, Broken>(error: Broken()).catch { _ in Just(value) }.sink { total.add($0) }.cancel()
      }
    }
  },
  Row("c14", "n × Just.map.sink") { count in
    sum { total in
      for value in 0..<count { Just(value).map { $0 &* 3 }.sink { total.add($0) }.cancel() }
    }
  },
  Row("d1", "subscribe + store(in:) + cancel") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      var subscriptions: Set<AnyCancellable> = []
      for _ in 0..<count {
        subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { total.add($0) }.store(in: &subscriptions)
        subscriptions.removeAll(keepingCapacity: true)
      }
    }
  },
  Row("d2", "1,000 subscriptions, then cancel all, a subscription") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      var subscriptions: Set<AnyCancellable> = []
      for _ in 0..<count / 1000 {
        for _ in 0..<1000 {
          subject.map { $0 &* 3 }.filter { $0 & 1 == 0 }.sink { total.add($0) }.store(in: &subscriptions)
        }
        subscriptions.removeAll()
      }
    }
  },
  Row("d3", "subject.sink + cancel") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      for _ in 0..<count { subject.sink { total.add($0) }.cancel() }
    }
  },
  Row("e2", "n × Future.sink") { count in
    sum { total in
      for value in 0..<count {
        Future<Int, Never> { $0(.success(value)) }.sink { total.add($0) }.cancel()
      }
    }
  },
]
