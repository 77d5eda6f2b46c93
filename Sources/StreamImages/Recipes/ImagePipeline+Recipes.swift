public import Streams

extension ImagePipeline {
  /// The picture in low quality, then in high.
  ///
  /// High begins when low has ended. If low fails, that is no matter; if high is in memory, low is left out.
  public func lowThenHigh(_ low: ImageRequest, _ high: ImageRequest) -> AnyPublisher<ImageResponse, Error> {
    Deferred { [self] () -> AnyPublisher<ImageResponse, Error> in
      let best = imagePublisher(with: high)
      guard cache[high] == nil else { return best.eraseToAnyPublisher() }
      return imagePublisher(with: low, includingPreviews: false).orEmpty().append(best).eraseToAnyPublisher()
    }
    .eraseToAnyPublisher()
  }

  /// The first of several pictures that can be had.
  ///
  /// One after the other, in this order: what comes after the first success is not asked for. If none can be had, the
  /// last failure is that of all; without any request, ``Error/imageRequestMissing``.
  public func firstAvailable(_ requests: [ImageRequest]) -> AnyPublisher<ImageResponse, Error> {
    guard let last = requests.last else { return Fail(error: .imageRequestMissing).eraseToAnyPublisher() }
    return requests.dropLast().reversed().reduce(imagePublisher(with: last).eraseToAnyPublisher()) {
      rest, request in
      imagePublisher(with: request, includingPreviews: false).catch { _ in rest }.eraseToAnyPublisher()
    }
  }

  /// The one of several pictures that is there first. All are asked for at once; the others are then cancelled.
  ///
  /// If none can be had, it fails with the failure that came last.
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

  /// The picture as the caches have it, then as it is now.
  ///
  /// Nothing comes of caches that have nothing. The second picture comes only if it is another one: if the server says
  /// that nothing has changed, or sends the same pixels, the publisher just finishes. A failure to load anew is passed
  /// on; what the caches had has been sent by then.
  public func staleWhileRevalidate(_ request: ImageRequest) -> AnyPublisher<ImageResponse, Error> {
    var (stale, fresh) = (request, request)
    stale.options.insert(.returnCacheDataDontLoad)
    fresh.options.formUnion(.reloadIgnoringCachedData)
    return imagePublisher(with: stale, includingPreviews: false).orEmpty()
      .append(imagePublisher(with: fresh, includingPreviews: false))
      .removeDuplicates { $0.image == $1.image }
      .eraseToAnyPublisher()
  }

  /// The picture; another one if it may not be loaded as the network is to be spared.
  ///
  /// `isConstrained` says whether the network is to be spared. It is asked when somebody subscribes.
  public func sparing(
    _ request: ImageRequest, orElse small: ImageRequest, isConstrained: @escaping @Sendable () -> Bool
  ) -> AnyPublisher<ImageResponse, Error> {
    Deferred { [self] () -> AnyPublisher<ImageResponse, Error> in
      guard isConstrained() else { return imagePublisher(with: request).eraseToAnyPublisher() }
      var cached = request
      cached.options.insert(.returnCacheDataDontLoad)
      // What is there already costs nothing.
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
  /// Begins with a picture that is in memory, if there is one: the same in another size, or with other processors.
  ///
  /// It is taken when somebody subscribes, and marked as a preview.
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
