#if OPENCOMBINE
  import OpenCombine
#else
  import Streams
#endif

/// The application: its services, and a model for each screen.
@MainActor
final class Shop {
  let queues = Queues()
  let settings = Settings()
  let cart = Cart()
  let prices = Prices()
  let network: Network
  let catalogue: Catalogue
  let session: Session
  let orders: Orders

  let products: CatalogueModel
  let search: SearchModel
  let product: ProductModel
  let basket: CartModel
  let checkout: CheckoutModel
  let signIn: SignInModel
  let reviews: ReviewsModel
  let history: OrdersModel
  let recommendations: RecommendationsModel
  let ticker: TickerModel
  let downloads: DownloadsModel
  let notifications: NotificationsModel
  let profile: ProfileModel
  let preferences: SettingsModel
  let feed: FeedModel
  let favourites: FavouritesModel

  private var changes = 0
  private var subscriptions = Set<AnyCancellable>()

  init(answers: [String: String]) {
    network = Network(answers: answers)
    catalogue = Catalogue(network: network, queues: queues)
    session = Session(network: network)
    orders = Orders(network: network)
    products = CatalogueModel(catalogue: catalogue)
    search = SearchModel(catalogue: catalogue, queues: queues)
    product = ProductModel(
      id: 1, catalogue: catalogue, prices: prices, settings: settings, queues: queues)
    basket = CartModel(cart: cart, settings: settings)
    checkout = CheckoutModel(cart: cart, orders: orders, queues: queues)
    signIn = SignInModel(session: session)
    reviews = ReviewsModel(network: network)
    history = OrdersModel(orders: orders)
    recommendations = RecommendationsModel(catalogue: catalogue, session: session, cart: cart)
    ticker = TickerModel(products: [1, 2, 3], prices: prices, queues: queues)
    downloads = DownloadsModel(network: network, queues: queues)
    notifications = NotificationsModel(connectivity: network.connectivity, queues: queues)
    profile = ProfileModel(session: session, settings: settings, queues: queues)
    preferences = SettingsModel(settings: settings)
    feed = FeedModel(network: network, queues: queues)
    favourites = FavouritesModel(catalogue: catalogue)
    basket.objectWillChange
      .sink { [weak self] in self?.changes += 1 }
      .store(in: &subscriptions)
  }

  /// What a user does on a visit.
  func visit() async throws {
    products.refresh()
    (signIn.name, signIn.password) = ("ada", "1234")
    signIn.signIn()
    search.text = "ta"
    for price in [2500, 2300, 2600] { prices.publish(Prices.Quote(product: 1, price: price)) }
    favourites.toggle(2)
    feed.refresh()
    reviews.loadMore()
    reviews.loadMore()
    downloads.start("manual")
    notifications.receive("Sale")
    profile.nickname = "countess"
    preferences.choose(currency: "GBP", dark: true)
    network.setOnline(false)
    network.setOnline(true)
    try await Task.sleep(for: .milliseconds(50))
    search.results.first.map(basket.add)
    (checkout.address, checkout.card) = ("St James's Square", "1234 5678")
    checkout.pay()
    try await Task.sleep(for: .milliseconds(50))
    notifications.markRead()
  }

  var report: [String] {
    [
      "\(products.titles) \(products.tags) \(products.problem ?? "-")",
      "\(search.results.map(\.title)) \(search.history) \(search.isSearching)",
      "\(product.title) \(product.price) \(product.trend) \(product.isMissing)",
      "\(basket.lines.count) \(basket.badge ?? "-") \(basket.total) \(changes > 0)",
      "\(checkout.canPay) \(checkout.state)",
      "\(signIn.isValid) \(signIn.greeting) \(signIn.problem ?? "-")",
      "\(reviews.reviews.count) \(reviews.average) \(reviews.isComplete)",
      "\(history.open) \(history.message) \(history.spent)",
      "\(recommendations.picks.map(\.title)) \(recommendations.reason)",
      "\(ticker.latest) \(ticker.best) \(ticker.ticks)",
      "\(downloads.progress) \(downloads.finished)",
      "\(notifications.banner ?? "-") \(notifications.unread)",
      "\(profile.rows) \(profile.isSaved)",
      "\(preferences.summary) \(preferences.journal)",
      "\(feed.items.count) \(feed.isLoading)",
      "\(favourites.ids) \(favourites.names) \(favourites.canAdd)",
      "\(Log.shared.count) \(network.requests)",
    ]
  }
}
