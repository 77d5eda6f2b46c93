// One import is enough for everything beyond Combine.
@_exported public import StreamsExtras
@_exported public import StreamsFoundation
