package import Foundation

/// The bytes of a picture, and where they come from.
package struct EncodedImage: Sendable {
  package var data: Data
  package var origin: ImageOrigin
  /// After redirects.
  package var url: URL?
  /// What the server called them. A hint.
  package var contentType: String?
  /// How the bytes are compressed although nobody asked for that, as the server says.
  var contentCoding: String?
  /// How long the steps of the load took, if it was one of the network's.
  package var timings: LoadTimings?
  /// What an HTTP cache had to do with it.
  package var httpCacheStatus: CacheStatus?
  /// Whether somebody else had asked for it first.
  package var wasCoalesced = false
  /// The job that brought it.
  package var job: UInt64?
  /// What was asked for it, if that was the network.
  var address: DataRequest?
  /// Whether more is to come.
  package var isPreview = false
  /// Has the bytes count as waiting to be decoded.
  var charge: ByteBudget.Charge?
  /// Set once all has come, or nothing more will; `nil` unless this is a preview.
  var isOvertaken: CancellationFlag?

  package init(_ data: Data, origin: ImageOrigin, url: URL?, contentType: String?) {
    self.data = data
    self.origin = origin
    self.url = url
    self.contentType = contentType
  }

  func charged(to budget: ByteBudget) -> EncodedImage {
    var charged = self
    charged.charge = budget.charge(data.count)
    return charged
  }

  /// Not waiting any more, and kept for what may come.
  var uncharged: EncodedImage {
    var uncharged = self
    uncharged.charge = nil
    return uncharged
  }
}
