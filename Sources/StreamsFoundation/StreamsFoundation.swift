// One import is enough, as with Combine, which includes its parts of Foundation.
@_exported public import Streams
