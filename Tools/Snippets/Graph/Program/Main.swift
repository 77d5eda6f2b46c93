/// A program whose packages declare names that StreamsExtras has, too. Each name means what the imports of its file say.
@main
struct Main {
  static func main() {
    schedulers()
    events()
    retries()
    replays()
    extras()
  }
}
