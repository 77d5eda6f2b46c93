/// A type that encodes whole values, such as a JSON encoder.
public protocol TopLevelEncoder {
  /// The encoded form.
  associatedtype Output

  /// Encodes `value`, or throws.
  func encode<Value: Encodable>(_ value: Value) throws -> Output
}

/// A type that decodes whole values, such as a JSON decoder.
public protocol TopLevelDecoder {
  /// The encoded form.
  associatedtype Input

  /// Decodes a value of `type`, or throws.
  func decode<Value: Decodable>(_ type: Value.Type, from input: Input) throws -> Value
}
