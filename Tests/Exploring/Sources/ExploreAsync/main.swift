internal import CShards

// ExploreAsync [COUNT [SEED]]: so many seeds, from this one on; each plays one of the stories.

cshards_hash_alike(CommandLine.unsafeArgv)
let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
let seeds = Seeds(first: numbers.dropFirst().first ?? 1, count: numbers.first ?? 20_000)
cshards_exit(seeds.run() ? 0 : 1)
