import Streams

// Twenty chains of eight operators, each in another order or of values of another type: no two share their specialised
// code. That they compile is the test; Scripts/benchmark --compile-time measures how long that takes.

public func chain0(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.filter { (value: Int) in value != 7 }
  let step2 = step1.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  let step3 = step2.removeDuplicates()
  let step4 = step3.prefix(while: { (value: Int) in value != 9 })
  let step5 = step4.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  let step6 = step5.handleEvents(receiveOutput: { (_: Int) in })
  let step7 = step6.dropFirst(2)
  let step8 = step7.map { (value: Int) in value &+ 1 }
  return step8.sink(receiveValue: receive)
}

public func chain1(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  let step2 = step1.removeDuplicates()
  let step3 = step2.prefix(while: { (value: Int) in value != 9 })
  let step4 = step3.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  let step5 = step4.handleEvents(receiveOutput: { (_: Int) in })
  let step6 = step5.dropFirst(2)
  let step7 = step6.map { (value: Int) in value &+ 1 }
  let step8 = step7.filter { (value: Int) in value != 7 }
  return step8.sink(receiveValue: receive)
}

public func chain2(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.removeDuplicates()
  let step2 = step1.prefix(while: { (value: Int) in value != 9 })
  let step3 = step2.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  let step4 = step3.handleEvents(receiveOutput: { (_: Int) in })
  let step5 = step4.dropFirst(2)
  let step6 = step5.map { (value: Int) in value &+ 1 }
  let step7 = step6.filter { (value: Int) in value != 7 }
  let step8 = step7.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  return step8.sink(receiveValue: receive)
}

public func chain3(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.prefix(while: { (value: Int) in value != 9 })
  let step2 = step1.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  let step3 = step2.handleEvents(receiveOutput: { (_: Int) in })
  let step4 = step3.dropFirst(2)
  let step5 = step4.map { (value: Int) in value &+ 1 }
  let step6 = step5.filter { (value: Int) in value != 7 }
  let step7 = step6.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  let step8 = step7.removeDuplicates()
  return step8.sink(receiveValue: receive)
}

public func chain4(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  let step2 = step1.handleEvents(receiveOutput: { (_: Int) in })
  let step3 = step2.dropFirst(2)
  let step4 = step3.map { (value: Int) in value &+ 1 }
  let step5 = step4.filter { (value: Int) in value != 7 }
  let step6 = step5.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  let step7 = step6.removeDuplicates()
  let step8 = step7.prefix(while: { (value: Int) in value != 9 })
  return step8.sink(receiveValue: receive)
}

public func chain5(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.handleEvents(receiveOutput: { (_: Int) in })
  let step2 = step1.dropFirst(2)
  let step3 = step2.map { (value: Int) in value &+ 1 }
  let step4 = step3.filter { (value: Int) in value != 7 }
  let step5 = step4.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  let step6 = step5.removeDuplicates()
  let step7 = step6.prefix(while: { (value: Int) in value != 9 })
  let step8 = step7.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  return step8.sink(receiveValue: receive)
}

public func chain6(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.dropFirst(2)
  let step2 = step1.map { (value: Int) in value &+ 1 }
  let step3 = step2.filter { (value: Int) in value != 7 }
  let step4 = step3.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  let step5 = step4.removeDuplicates()
  let step6 = step5.prefix(while: { (value: Int) in value != 9 })
  let step7 = step6.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  let step8 = step7.handleEvents(receiveOutput: { (_: Int) in })
  return step8.sink(receiveValue: receive)
}

public func chain7(_ step0: PassthroughSubject<Int, Never>, _ receive: @escaping (Int) -> Void)
  -> AnyCancellable
{
  let step1 = step0.map { (value: Int) in value &+ 1 }
  let step2 = step1.filter { (value: Int) in value != 7 }
  let step3 = step2.scan(Int(0)) { (sum: Int, value: Int) in sum &+ value }
  let step4 = step3.removeDuplicates()
  let step5 = step4.prefix(while: { (value: Int) in value != 9 })
  let step6 = step5.compactMap { (value: Int) -> Int? in value == 3 ? nil : value }
  let step7 = step6.handleEvents(receiveOutput: { (_: Int) in })
  let step8 = step7.dropFirst(2)
  return step8.sink(receiveValue: receive)
}

public func chain8(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.filter { (value: Int32) in value != 7 }
  let step2 = step1.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  let step3 = step2.removeDuplicates()
  let step4 = step3.prefix(while: { (value: Int32) in value != 9 })
  let step5 = step4.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  let step6 = step5.handleEvents(receiveOutput: { (_: Int32) in })
  let step7 = step6.dropFirst(2)
  let step8 = step7.map { (value: Int32) in value &+ 1 }
  return step8.sink(receiveValue: receive)
}

public func chain9(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  let step2 = step1.removeDuplicates()
  let step3 = step2.prefix(while: { (value: Int32) in value != 9 })
  let step4 = step3.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  let step5 = step4.handleEvents(receiveOutput: { (_: Int32) in })
  let step6 = step5.dropFirst(2)
  let step7 = step6.map { (value: Int32) in value &+ 1 }
  let step8 = step7.filter { (value: Int32) in value != 7 }
  return step8.sink(receiveValue: receive)
}

public func chain10(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.removeDuplicates()
  let step2 = step1.prefix(while: { (value: Int32) in value != 9 })
  let step3 = step2.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  let step4 = step3.handleEvents(receiveOutput: { (_: Int32) in })
  let step5 = step4.dropFirst(2)
  let step6 = step5.map { (value: Int32) in value &+ 1 }
  let step7 = step6.filter { (value: Int32) in value != 7 }
  let step8 = step7.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  return step8.sink(receiveValue: receive)
}

public func chain11(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.prefix(while: { (value: Int32) in value != 9 })
  let step2 = step1.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  let step3 = step2.handleEvents(receiveOutput: { (_: Int32) in })
  let step4 = step3.dropFirst(2)
  let step5 = step4.map { (value: Int32) in value &+ 1 }
  let step6 = step5.filter { (value: Int32) in value != 7 }
  let step7 = step6.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  let step8 = step7.removeDuplicates()
  return step8.sink(receiveValue: receive)
}

public func chain12(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  let step2 = step1.handleEvents(receiveOutput: { (_: Int32) in })
  let step3 = step2.dropFirst(2)
  let step4 = step3.map { (value: Int32) in value &+ 1 }
  let step5 = step4.filter { (value: Int32) in value != 7 }
  let step6 = step5.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  let step7 = step6.removeDuplicates()
  let step8 = step7.prefix(while: { (value: Int32) in value != 9 })
  return step8.sink(receiveValue: receive)
}

public func chain13(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.handleEvents(receiveOutput: { (_: Int32) in })
  let step2 = step1.dropFirst(2)
  let step3 = step2.map { (value: Int32) in value &+ 1 }
  let step4 = step3.filter { (value: Int32) in value != 7 }
  let step5 = step4.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  let step6 = step5.removeDuplicates()
  let step7 = step6.prefix(while: { (value: Int32) in value != 9 })
  let step8 = step7.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  return step8.sink(receiveValue: receive)
}

public func chain14(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.dropFirst(2)
  let step2 = step1.map { (value: Int32) in value &+ 1 }
  let step3 = step2.filter { (value: Int32) in value != 7 }
  let step4 = step3.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  let step5 = step4.removeDuplicates()
  let step6 = step5.prefix(while: { (value: Int32) in value != 9 })
  let step7 = step6.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  let step8 = step7.handleEvents(receiveOutput: { (_: Int32) in })
  return step8.sink(receiveValue: receive)
}

public func chain15(_ step0: PassthroughSubject<Int32, Never>, _ receive: @escaping (Int32) -> Void)
  -> AnyCancellable
{
  let step1 = step0.map { (value: Int32) in value &+ 1 }
  let step2 = step1.filter { (value: Int32) in value != 7 }
  let step3 = step2.scan(Int32(0)) { (sum: Int32, value: Int32) in sum &+ value }
  let step4 = step3.removeDuplicates()
  let step5 = step4.prefix(while: { (value: Int32) in value != 9 })
  let step6 = step5.compactMap { (value: Int32) -> Int32? in value == 3 ? nil : value }
  let step7 = step6.handleEvents(receiveOutput: { (_: Int32) in })
  let step8 = step7.dropFirst(2)
  return step8.sink(receiveValue: receive)
}

public func chain16(_ step0: PassthroughSubject<UInt64, Never>, _ receive: @escaping (UInt64) -> Void)
  -> AnyCancellable
{
  let step1 = step0.filter { (value: UInt64) in value != 7 }
  let step2 = step1.scan(UInt64(0)) { (sum: UInt64, value: UInt64) in sum &+ value }
  let step3 = step2.removeDuplicates()
  let step4 = step3.prefix(while: { (value: UInt64) in value != 9 })
  let step5 = step4.compactMap { (value: UInt64) -> UInt64? in value == 3 ? nil : value }
  let step6 = step5.handleEvents(receiveOutput: { (_: UInt64) in })
  let step7 = step6.dropFirst(2)
  let step8 = step7.map { (value: UInt64) in value &+ 1 }
  return step8.sink(receiveValue: receive)
}

public func chain17(_ step0: PassthroughSubject<UInt64, Never>, _ receive: @escaping (UInt64) -> Void)
  -> AnyCancellable
{
  let step1 = step0.scan(UInt64(0)) { (sum: UInt64, value: UInt64) in sum &+ value }
  let step2 = step1.removeDuplicates()
  let step3 = step2.prefix(while: { (value: UInt64) in value != 9 })
  let step4 = step3.compactMap { (value: UInt64) -> UInt64? in value == 3 ? nil : value }
  let step5 = step4.handleEvents(receiveOutput: { (_: UInt64) in })
  let step6 = step5.dropFirst(2)
  let step7 = step6.map { (value: UInt64) in value &+ 1 }
  let step8 = step7.filter { (value: UInt64) in value != 7 }
  return step8.sink(receiveValue: receive)
}

public func chain18(_ step0: PassthroughSubject<UInt64, Never>, _ receive: @escaping (UInt64) -> Void)
  -> AnyCancellable
{
  let step1 = step0.removeDuplicates()
  let step2 = step1.prefix(while: { (value: UInt64) in value != 9 })
  let step3 = step2.compactMap { (value: UInt64) -> UInt64? in value == 3 ? nil : value }
  let step4 = step3.handleEvents(receiveOutput: { (_: UInt64) in })
  let step5 = step4.dropFirst(2)
  let step6 = step5.map { (value: UInt64) in value &+ 1 }
  let step7 = step6.filter { (value: UInt64) in value != 7 }
  let step8 = step7.scan(UInt64(0)) { (sum: UInt64, value: UInt64) in sum &+ value }
  return step8.sink(receiveValue: receive)
}

public func chain19(_ step0: PassthroughSubject<UInt64, Never>, _ receive: @escaping (UInt64) -> Void)
  -> AnyCancellable
{
  let step1 = step0.prefix(while: { (value: UInt64) in value != 9 })
  let step2 = step1.compactMap { (value: UInt64) -> UInt64? in value == 3 ? nil : value }
  let step3 = step2.handleEvents(receiveOutput: { (_: UInt64) in })
  let step4 = step3.dropFirst(2)
  let step5 = step4.map { (value: UInt64) in value &+ 1 }
  let step6 = step5.filter { (value: UInt64) in value != 7 }
  let step7 = step6.scan(UInt64(0)) { (sum: UInt64, value: UInt64) in sum &+ value }
  let step8 = step7.removeDuplicates()
  return step8.sink(receiveValue: receive)
}
