@_exported public import StandIns

// Names that the sources use without importing what stands in for them.

package typealias DispatchQueue = StandIns.DispatchQueue
