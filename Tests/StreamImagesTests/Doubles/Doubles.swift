// What users test with, these tests do, too.
@_exported import StreamImagesTesting
