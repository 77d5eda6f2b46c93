#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

@MainActor
final class RecommendationsModel: ObservableObject {
  @Published private(set) var picks: [Product] = []
  @Published private(set) var reason = ""
  private var subscriptions = Set<AnyCancellable>()

  init(catalogue: Catalogue, session: Session, cart: Cart) {
    catalogue.products
      .zip(session.isMember, cart.lines)
      .map { products, isMember, lines in
        products.filter { product in
          (isMember || product.price < 3000) && !lines.contains { $0.product.id == product.id }
        }
      }
      .map { Array($0.prefix(2)) }
      .sink { [weak self] in self?.picks = $0 }
      .store(in: &subscriptions)
    session.isMember.map { $0 ? "For members" : "For you" }.assign(to: &$reason)
  }
}
