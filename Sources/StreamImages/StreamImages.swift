@_exported public import ImageCodecs
@_exported public import Streams
@_exported public import StreamsFoundation
