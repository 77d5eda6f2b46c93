// As Combine comes with its parts of Foundation: one import is enough.
@_exported public import Streams
