import Streams
import StreamsExtras
import StreamsTesting

extension OperatorCase {
  static let beyondFiltering: [OperatorCase] = [
    OperatorCase(
      "nwise", .sends([12, 23]), .takes(2), .zeroDemandIsHarmless, .forwardsSurplus, .named("Nwise")
    ) {
      $0.nwise(2).map { $0.reduce(0) { $0 &* 10 &+ $1 } }
    },
    OperatorCase(
      "pairwise", .sends([12, 23]), .takes(2), .zeroDemandIsHarmless, .forwardsSurplus, .named("Pairwise")
    ) {
      $0.pairwise().map { $0 &* 10 &+ $1 }
    },
    OperatorCase(
      "removeAllDuplicates", .needsDistinctValues, .zeroDemandIsHarmless, .forwardsSurplus,
      .named("RemoveAllDuplicates")
    ) { $0.removeAllDuplicates() },
    OperatorCase(
      "removeAllDuplicates(by:)", .needsDistinctValues, .zeroDemandIsHarmless, .forwardsSurplus,
      .named("RemoveAllDuplicates")
    ) { $0.removeAllDuplicates(by: ==) },
    OperatorCase(
      "prefix(while:behavior:)", .stops(at: 50, sending: 50), .zeroDemandIsHarmless, .forwardsSurplus,
      .named("PrefixWhile")
    ) { $0.prefix(while: { $0 < 50 }, behavior: .inclusive) },
    OperatorCase("suffix", .sends([2, 3]), answersAtEnd, .zeroDemandIsHarmless, .named("Suffix")) {
      $0.suffix(2)
    },
    OperatorCase(
      "dropLast", .sends([1, 2]), .takes(2), .zeroDemandIsHarmless, .forwardsSurplus, .named("DropLast")
    ) {
      $0.dropLast()
    },
    OperatorCase("enumerated", .zeroDemandIsHarmless, .forwardsSurplus, .named("Enumerated")) {
      $0.enumerated().map { $0.element &+ $0.index &* 0 }
    },
    OperatorCase("scan(into:)", .sends([1, 3, 6]), .zeroDemandIsHarmless, .named("Scan")) {
      $0.scan(into: 0) { $0 &+= $1 }
    },
    OperatorCase("prefix(during:)", .zeroDemandIsHarmless, .named("PrefixDuring")) {
      $0.prefix(during: Lifetime.Token.endless.lifetime)
    },
    OperatorCase(
      "withUnretained", .forwardsSurplus, .named("PrefixWhile")
    ) {
      $0.withUnretained(Lifetime.Token.endless) { $1 }
    },
  ]

  private static let answersAtEnd = OperatorTrait { $0.answersAtEnd = true }
}
