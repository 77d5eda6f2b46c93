import Foundation
import Streams
import Testing

/// Numbers around which arithmetic changes its ways.
private let edges = [0, 1, 2, 3, 1000, Int.max / 2, Int.max / 2 + 1, Int.max - 2, Int.max - 1, Int.max]
private let demands = edges.map { Subscribers.Demand.max($0) } + [.unlimited]
private let integers = edges + edges.map { -$0 } + [Int.min]

@Suite("`Subscribers.Demand`")
struct DemandTests {
  typealias Demand = Subscribers.Demand

  @Test("The sum of two demands is unlimited if either is unlimited or it overflows", arguments: demands)
  func addition(_ left: Demand) {
    for right in demands {
      let expected = sum(left, right)
      var changed = left
      changed += right

      #expect(left + right == expected, "\(left) + \(right)")
      #expect(changed == expected)
    }
  }

  @Test("A demand plus an integer is their sum, unless it would be negative", arguments: demands)
  func integerAddition(_ left: Demand) {
    for right in integers where right > .min {
      guard let expected = right >= 0 ? sum(left, .max(right)) : difference(left, -right) else { continue }  // traps
      var changed = left
      changed += right

      #expect(left + right == expected, "\(left) + \(right)")
      #expect(changed == expected)
    }
  }

  @Test("A difference of demands is exact, and unlimited demand stays unlimited", arguments: demands)
  func subtraction(_ left: Demand) {
    for right in demands {
      let expected: Demand?
      switch (left.max, right.max) {
      case (nil, _): expected = .unlimited
      case (_?, nil): expected = Demand.none
      case (let left?, let right?): expected = left >= right ? .max(left - right) : nil
      }
      guard let expected else { continue }  // traps
      var changed = left
      changed -= right

      #expect(left - right == expected, "\(left) - \(right)")
      #expect(changed == expected)
    }
  }

  @Test("A demand minus an integer is their difference, unless it would be negative", arguments: demands)
  func integerSubtraction(_ left: Demand) {
    for right in integers {
      guard let expected = difference(left, right) else { continue }  // traps
      var changed = left
      changed -= right

      #expect(left - right == expected, "\(left) - \(right)")
      #expect(changed == expected)
    }
  }

  @Test("A demand minus a negative integer is none on overflow, as in Combine")
  func overflow() {
    #expect(Demand.max(.max) - -1 == .none)
    #expect(Demand.max(.max) + 1 == .unlimited)
  }

  @Test("Unlimited demand stays unlimited in every operation")
  func unlimited() async {
    await #expect(processExitsWith: .success) {
      precondition(Subscribers.Demand.unlimited - Int.min == .unlimited)
      precondition(Subscribers.Demand.unlimited - .unlimited == .unlimited)
      precondition(Subscribers.Demand.unlimited + Int.min == .unlimited)
      precondition(Subscribers.Demand.unlimited * -1 == .unlimited)
    }
  }

  @Test("The product of a demand is unlimited if it overflows or the demand is unlimited", arguments: demands)
  func multiplication(_ left: Demand) {
    for right in edges {
      let expected: Demand
      if let left = left.max {
        let (product, overflow) = left.multipliedReportingOverflow(by: right)
        expected = overflow ? .unlimited : .max(product)
      } else {
        expected = .unlimited
      }
      var changed = left
      changed *= right

      #expect(left * right == expected, "\(left) * \(right)")
      #expect(changed == expected)
    }
  }

  @Test("Demands are ordered by number, with unlimited last", arguments: demands)
  func order(_ left: Demand) {
    for right in demands {
      let (x, y) = (left.max.map(Double.init) ?? .infinity, right.max.map(Double.init) ?? .infinity)
      guard x != y || left == right else { continue }  // too close for the oracle

      #expect((left < right) == (x < y), "\(left) < \(right)")
      #expect((left <= right) == (x <= y))
      #expect((left > right) == (x > y))
      #expect((left >= right) == (x >= y))
      #expect((left == right) == (x == y))
    }
  }

  @Test("A demand can be compared with an integer on either side", arguments: demands)
  func integerOrder(_ demand: Demand) {
    for number in integers {
      let isBelow = demand.max.map { $0 < number } ?? false
      let isSame = demand.max == number

      #expect((demand < number) == isBelow)
      #expect((demand <= number) == (isBelow || isSame))
      #expect((demand > number) == !(isBelow || isSame))
      #expect((demand >= number) == !isBelow)
      #expect((demand == number) == isSame)
      #expect((demand != number) == !isSame)
      #expect((number > demand) == isBelow)
      #expect((number >= demand) == (isBelow || isSame))
      #expect((number < demand) == !(isBelow || isSame))
      #expect((number <= demand) == !isBelow)
      #expect((number == demand) == isSame)
      #expect((number != demand) == !isSame)
    }
  }

  @Test("The description of a demand is its number of values, or unlimited")
  func descriptions() {
    #expect("\(Demand.none)" == "max(0)")
    #expect("\(Demand.max(7))" == "max(7)")
    #expect("\(Demand.unlimited)" == "unlimited")
    #expect(Demand.none == .max(0))
    #expect(Set(demands).count == demands.count)
  }

  @Test("A demand is encoded as one number, with unlimited above every other", arguments: demands)
  func coding(_ demand: Demand) throws {
    let data = try JSONEncoder().encode([demand])
    let decoded = try JSONDecoder().decode([Demand].self, from: data)

    #expect(decoded == [demand])
    #expect(String(decoding: data, as: UTF8.self) == "[\(demand.max.map(UInt.init) ?? UInt(Int.max) + 1)]")
  }

  @Test("Decoding a demand rejects negative numbers, and reads too large ones as unlimited")
  func decoding() throws {
    let decoder = JSONDecoder()
    let greatest = try decoder.decode([Demand].self, from: Data("[18446744073709551615]".utf8))

    #expect(throws: DecodingError.self) { try decoder.decode([Demand].self, from: Data("[-1]".utf8)) }
    #expect(greatest == [.unlimited])
  }

  @Test("A demand that would become negative traps")
  func traps() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - 2 }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) - .max(2) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) + -2 }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) * -1 }
  }

  private func sum(_ left: Demand, _ right: Demand) -> Demand {
    guard let left = left.max, let right = right.max else { return .unlimited }
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .unlimited : .max(sum)
  }

  /// `nil` where the subtraction traps.
  private func difference(_ left: Demand, _ right: Int) -> Demand? {
    guard let left = left.max else { return .unlimited }
    let (difference, overflow) = left.subtractingReportingOverflow(right)
    if overflow { return Demand.none }
    return difference < 0 ? nil : .max(difference)
  }
}
