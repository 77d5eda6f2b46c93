import Streams

let statelessDepth = Series(
  name: "stateless", title: "map and filter in turns, a stage", share: { $0 }, sizes: depths,
  events: { _ in (200, 1200) }
) { depth, count in
  switch depth {
  case 1: sent(count) { $0.map { (value: Int) in value &* 3 } }
  case 2: sent(count) { stateless2($0) }
  case 4: sent(count) { stateless4($0) }
  case 8: sent(count) { stateless8($0) }
  case 16: sent(count) { stateless16($0) }
  case 32: sent(count) { stateless32($0) }
  case 48: sent(count) { stateless32(stateless16($0)) }
  default: sent(count) { stateless32(stateless32($0)) }
  }
}

let statefulDepth = Series(
  name: "stateful", title: "scan, a stage", share: { $0 }, sizes: depths, events: { _ in (200, 1200) }
) { depth, count in
  switch depth {
  case 1: sent(count) { $0.scan(0) { $0 &+ $1 } }
  case 2: sent(count) { stateful2($0) }
  case 4: sent(count) { stateful4($0) }
  case 8: sent(count) { stateful8($0) }
  case 16: sent(count) { stateful16($0) }
  case 32: sent(count) { stateful32($0) }
  case 48: sent(count) { stateful32(stateful16($0)) }
  default: sent(count) { stateful32(stateful32($0)) }
  }
}

@inline(__always)
private func sent(_ count: Int, _ chain: (PassthroughSubject<Int, Never>) -> some Values) -> Int {
  sum { total in
    let subject = PassthroughSubject<Int, Never>()
    let subscription = chain(subject).sink { total.add($0) }
    for value in 0..<count { subject.send(value) }
    subscription.cancel()
  }
}

// Each doubles the one before: the types are those of a chain that is written out.

private typealias Values = Publisher<Int, Never>

@inline(__always)
private func stateless2(_ upstream: some Values) -> some Values {
  upstream.map { (value: Int) in value &* 3 }.filter { (value: Int) in value != -1 }
}
@inline(__always)
private func stateless4(_ upstream: some Values) -> some Values { stateless2(stateless2(upstream)) }
@inline(__always)
private func stateless8(_ upstream: some Values) -> some Values { stateless4(stateless4(upstream)) }
@inline(__always)
private func stateless16(_ upstream: some Values) -> some Values { stateless8(stateless8(upstream)) }
@inline(__always)
private func stateless32(_ upstream: some Values) -> some Values { stateless16(stateless16(upstream)) }

@inline(__always)
private func stateful2(_ upstream: some Values) -> some Values {
  upstream.scan(0) { $0 &+ $1 }.scan(0) { $0 &+ $1 }
}
@inline(__always)
private func stateful4(_ upstream: some Values) -> some Values { stateful2(stateful2(upstream)) }
@inline(__always)
private func stateful8(_ upstream: some Values) -> some Values { stateful4(stateful4(upstream)) }
@inline(__always)
private func stateful16(_ upstream: some Values) -> some Values { stateful8(stateful8(upstream)) }
@inline(__always)
private func stateful32(_ upstream: some Values) -> some Values { stateful16(stateful16(upstream)) }
