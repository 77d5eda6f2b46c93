package import Hummingbird
internal import NIOCore

/// The context of a request, with the address of its client.
package struct ThumbnailContext: RequestContext {
  package var coreContext: CoreRequestContextStorage
  /// See ``ClientRates``; `nil` if the connection has none.
  let client: String?
  let channel: any Channel

  package init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
    client = source.channel.remoteAddress?.ipAddress.flatMap { ClientRates.client($0) }
  }
}
