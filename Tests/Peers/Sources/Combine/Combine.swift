@_exported public import Streams
@_exported public import StreamsFoundation
