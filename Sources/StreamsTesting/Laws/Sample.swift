/// A value that a checked operator has sent. It is equal to equal values, and has their description.
package struct Sample: Hashable, Sendable {
  package let number: Int
  private let text: String?

  /// - Parameter text: Its description, if it is not a number.
  package init(_ number: Int, text: String? = nil) { (self.number, self.text) = (number, text) }

  package static func == (left: Self, right: Self) -> Bool { left.number == right.number }
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

extension Sample: ExpressibleByIntegerLiteral, CustomStringConvertible {
  package init(integerLiteral number: Int) { self.init(number) }
  package var description: String { text ?? "\(number)" }
}

/// Numbers values of any type: equal ones alike.
final class Numbering<Value: Equatable> {
  private var known: [Value] = []

  func sample(_ value: Value) -> Sample {
    let number = known.firstIndex(of: value) ?? known.count
    if number == known.count { known.append(value) }
    return Sample(number, text: "\(value)")
  }
}
