import Streams

enum DecodingUses<
  P: Publisher & SendableMetatype, Item: Decodable & SendableMetatype, C: TopLevelDecoder & SendableMetatype
>: Family where P.Output == C.Input {
  static var operators: [Use] {
    Use(
      "decode(type:decoder:)",
      P.decode(type:decoder:) as (P) -> (Item.Type, C) -> Publishers.Decode<P, Item, C>)
  }

  static var types: [Use] {
    Use("Publishers.Decode", publishes(Publishers.Decode<P, Item, C>.self, Item.self, (any Error).self))
  }

  static var members: [Use] {
    Use("Publishers.Decode.Failure", Publishers.Decode<P, Item, C>.Failure.self as (any Error).Type)
    Use("Publishers.Decode.upstream", \.upstream as KeyPath<Publishers.Decode<P, Item, C>, P>)
    Use(
      "Publishers.Decode.init(upstream:decoder:)",
      Publishers.Decode<P, Item, C>.init(upstream:decoder:) as (P, C) -> Publishers.Decode<P, Item, C>)
  }
}

enum EncodingUses<P: Publisher & SendableMetatype, C: TopLevelEncoder & SendableMetatype>: Family
where P.Output: Encodable & SendableMetatype {
  static var operators: [Use] {
    Use("encode(encoder:)", P.encode(encoder:) as (P) -> (C) -> Publishers.Encode<P, C>)
  }

  static var types: [Use] {
    Use("Publishers.Encode", publishes(Publishers.Encode<P, C>.self, (C.Output).self, (any Error).self))
  }

  static var members: [Use] {
    Use("Publishers.Encode.Failure", Publishers.Encode<P, C>.Failure.self as (any Error).Type)
    Use("Publishers.Encode.Output", Publishers.Encode<P, C>.Output.self as (C.Output).Type)
    Use("Publishers.Encode.upstream", \.upstream as KeyPath<Publishers.Encode<P, C>, P>)
    Use(
      "Publishers.Encode.init(upstream:encoder:)",
      Publishers.Encode<P, C>.init(upstream:encoder:) as (P, C) -> Publishers.Encode<P, C>)
  }
}

enum CodersUses<
  Encoder: TopLevelEncoder & SendableMetatype, Decoder: TopLevelDecoder & SendableMetatype,
  T: Codable & SendableMetatype
>:
  Family
{
  static var types: [Use] {
    Use("TopLevelEncoder", { (encoder: Encoder) in encoder as any TopLevelEncoder })
    Use("TopLevelDecoder", { (decoder: Decoder) in decoder as any TopLevelDecoder })
  }

  static var members: [Use] {
    Use("TopLevelEncoder.Output", Encoder.Output.self)
    Use("TopLevelEncoder.encode(_:)", Encoder.encode(_:) as (Encoder) -> (T) throws -> Encoder.Output)
    Use("TopLevelDecoder.Input", Decoder.Input.self)
    Use(
      "TopLevelDecoder.decode(_:from:)",
      Decoder.decode(_:from:) as (Decoder) -> (T.Type, Decoder.Input) throws -> T)
  }
}
