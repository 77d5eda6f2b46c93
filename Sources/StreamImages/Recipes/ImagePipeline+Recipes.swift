public import Streams

extension ImagePipeline {
  /// Publishes the image in low quality, then in high quality.
  ///
  /// The second load starts when the first has ended. A failure of the first is ignored. The first is skipped if the
  /// second image is in memory.
  public func lowThenHigh(_ low: ImageRequest, _ high: ImageRequest) -> AnyPublisher<ImageResponse, Error> {
    Deferred { [self] () -> AnyPublisher<ImageResponse, Error> in
      let best = imagePublisher(with: high)
      guard cache[high] == nil else { return best.eraseToAnyPublisher() }
      return imagePublisher(with: low, includingPreviews: false).orEmpty().append(best).eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  /// Publishes the first of several images that can be loaded.
  ///
  /// Requests are tried in order, until one succeeds. If all fail, the last failure is sent. Without any request, it
  /// fails with ``Error/imageRequestMissing``.
  public func firstAvailable(_ requests: [ImageRequest]) -> AnyPublisher<ImageResponse, Error> {
    guard let last = requests.last else { return Fail(error: .imageRequestMissing).eraseToAnyPublisher() }
    return requests.dropLast().reversed().reduce(imagePublisher(with: last).eraseToAnyPublisher()) {
      rest, request in
      imagePublisher(with: request, includingPreviews: false).catch { _ in rest }.eraseToAnyPublisher()
    }
  }

  /// Publishes the one of several images that is loaded first. All loads start at once, and the slower ones are
  /// cancelled.
  ///
  /// If all fail, the last failure is sent.
  public func fastest(_ requests: [ImageRequest]) -> AnyPublisher<ImageResponse, Error> {
    guard !requests.isEmpty else { return Fail(error: .imageRequestMissing).eraseToAnyPublisher() }
    return requests.publisher
      .flatMap { [self] request in
        imagePublisher(with: request, includingPreviews: false)
          .map { Result<ImageResponse, Error>.success($0) }
          .catch { Just(Result.failure($0)) }
      }
      .scan(Race(failures: 0, verdict: nil)) { $0.next($1, of: requests.count) }
      .compactMap(\.verdict)
      .first()
      .setFailureType(to: Error.self)
      .flatMap { $0.publisher }
      .eraseToAnyPublisher()
  }

  /// Publishes the cached image, then a new one.
  ///
  /// If nothing is cached, publishes only the new one. The new one is left out if the server confirms the cached
  /// image, or sends the same pixels. A failure of that load is sent after the cached image.
  public func staleWhileRevalidate(_ request: ImageRequest) -> AnyPublisher<ImageResponse, Error> {
    var (stale, fresh) = (request, request)
    stale.options.insert(.returnCacheDataDontLoad)
    fresh.options.formUnion(.reloadIgnoringCachedData)
    return imagePublisher(with: stale, includingPreviews: false).orEmpty()
      .append(imagePublisher(with: fresh, includingPreviews: false))
      .removeDuplicates { $0.image == $1.image }
      .eraseToAnyPublisher()
  }

  /// Publishes an image; a smaller one instead if data has to be saved and the image is not cached.
  ///
  /// `isConstrained` returns whether data has to be saved. It is called for each subscriber.
  public func sparing(
    _ request: ImageRequest, orElse small: ImageRequest, isConstrained: @escaping @Sendable () -> Bool
  ) -> AnyPublisher<ImageResponse, Error> {
    Deferred { [self] () -> AnyPublisher<ImageResponse, Error> in
      guard isConstrained() else { return imagePublisher(with: request).eraseToAnyPublisher() }
      var cached = request
      cached.options.insert(.returnCacheDataDontLoad)
      // A cached image costs no data.
      return imagePublisher(with: cached, includingPreviews: false)
        .catch { [self] _ in imagePublisher(with: small) }
        .eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  private struct Race {
    var failures: Int
    var verdict: Result<ImageResponse, Error>?

    func next(_ result: Result<ImageResponse, Error>, of count: Int) -> Race {
      if case .success = result { return Race(failures: failures, verdict: result) }
      return Race(failures: failures + 1, verdict: failures + 1 == count ? result : nil)
    }
  }
}

extension Publisher where Output == ImageResponse, Failure == ImagePipeline.Error {
  /// Publishes an image from memory first, if there is one: for example another size of the same image.
  ///
  /// It is looked up for each subscriber, and marked as a preview.
  @_disfavoredOverload
  public func prependingCached(
    of requests: [ImageRequest], in pipeline: ImagePipeline
  ) -> AnyPublisher<ImageResponse, Failure> {
    Deferred { () -> AnyPublisher<ImageResponse, Failure> in
      for request in requests {
        guard var found = pipeline.cache[request] else { continue }
        found.isPreview = true
        return prepend(ImageResponse(request: request, decoded: found)).eraseToAnyPublisher()
      }
      return eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }
}
