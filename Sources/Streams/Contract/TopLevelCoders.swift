/// Something that encodes whole values, as a JSON encoder does.
public protocol TopLevelEncoder {
  /// What values become.
  associatedtype Output

  /// Makes data of `value`, or throws.
  func encode<Value: Encodable>(_ value: Value) throws -> Output
}

/// Something that decodes whole values, as a JSON decoder does.
public protocol TopLevelDecoder {
  /// What values are made of.
  associatedtype Input

  /// Makes a value of `input`, or throws.
  func decode<Value: Decodable>(_ type: Value.Type, from input: Input) throws -> Value
}
