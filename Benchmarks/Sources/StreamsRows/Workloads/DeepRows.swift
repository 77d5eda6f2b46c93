#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

// In several statements, for the type checker: in OpenCombine `map` means too many things for one of twenty. The
// closures use what is known at run time only: otherwise twenty products of constants are one.

let deepRows: [Row] = [
  Row("h1", "subject → 20 × map → sink") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let factor = opaque(3)
      let five =
        subject
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
      let ten =
        five
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
      let fifteen =
        ten
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
      let twenty =
        fifteen
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
        .map { (value: Int) in value &* factor }
      let subscription = twenty.sink { total.add($0) }
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("h2", "subject → 10 × (map → filter) → sink") { count in
    sum { total in
      let subject = PassthroughSubject<Int, Never>()
      let (factor, none) = (opaque(3), opaque(-1))
      let three =
        subject
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      let six =
        three
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      let nine =
        six
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      let ten =
        nine
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      let subscription = ten.sink { total.add($0) }
      for value in 0..<count { subject.send(value) }
      subscription.cancel()
    }
  },
  Row("h3", "erased range → 10 × (map → filter) → sink") { count in
    sum { total in
      let (factor, none) = (opaque(3), opaque(-1))
      let three =
        range(count)
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      let six =
        three
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      let nine =
        six
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      let ten =
        nine
        .map { (value: Int) in value &* factor }
        .filter { (value: Int) in value != none }
      ten.sink { total.add($0) }.cancel()
    }
  },
]
