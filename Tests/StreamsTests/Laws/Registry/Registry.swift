extension OperatorCase {
  /// Every operator, source and subject under law. A new one is one entry in the list of its family.
  static let all: [OperatorCase] =
    mapping + filtering + combining + flattening + failing + sharing + timing + watching + erased + sources
    + subjects

  static func named(_ name: String) -> OperatorCase? { all.first { $0.name == name } }
}
