#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

// In several statements, for the type checker: in OpenCombine `map` means too many things for one of twenty.

let deepRows: [Row] = [
  Row("h1", "subject → 20 × map → sink") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let five = subject.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }.map {
        (value: Int) in value &* 3
      }.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }
      let ten = five.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }.map {
        (value: Int) in value &* 3
      }.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }
      let fifteen = ten.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }.map {
        (value: Int) in value &* 3
      }.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }
      let twenty = fifteen.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }.map {
        (value: Int) in value &* 3
      }.map { (value: Int) in value &* 3 }.map { (value: Int) in value &* 3 }
      let subscription = twenty.sink { total.add($0) }
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("h2", "subject → 10 × (map → filter) → sink") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let two = subject.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let four = two.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let six = four.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let eight = six.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let ten = eight.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let subscription = ten.sink { total.add($0) }
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("h3", "erased range → 10 × (map → filter) → sink") { count in
    sum { total in
      let two = range(count).map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let four = two.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let six = four.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let eight = six.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      let ten = eight.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }.map {
        (value: Int) in value &* 3
      }.filter { (value: Int) in value != -1 }
      ten.sink { total.add($0) }.cancel()
    }
  },
]
