#include "engine.h"
#if IS_EXPLORABLE

// Schedules that are drawn by lot, instead of a search: each choice for itself, or by priorities of threads that change a few
// times, which finds each bug that needs so many events in order with a known probability.

enum { CHANGES = 8, STALE = 6 };

bool is_drawing;
static uint64_t state;
static int depth;
static uint64_t priorities[THREADS];
static uint32_t changes[CHANGES];

/// SplitMix64.
static uint64_t draw(void) {
  state += 0x9E3779B97F4A7C15ull;
  uint64_t mixed = state;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
  return mixed ^ (mixed >> 31);
}

void interleavings_draw(uint64_t seed, int events, uint32_t expected) {
  is_drawing = true;
  state = seed;
  depth = events > CHANGES ? CHANGES : events;
  for (int i = 0; i < THREADS; i++) priorities[i] = draw() | (uint64_t)1 << 40;
  for (int i = 0; i + 1 < depth; i++) changes[i] = 1 + (uint32_t)(draw() % (expected ? expected : 1));
}

int draw_among(int count) { return (int)(draw() % (uint64_t)count); }

int draw_thread(const int *candidates, int count, int running, uint32_t step) {
  if (depth == 0) return candidates[draw_among(count)];
  for (int i = 0; running >= 0 && i + 1 < depth; i++) if (changes[i] == step) priorities[running] = step;
  int best = candidates[0];
  for (int i = 1; i < count; i++) if (priorities[candidates[i]] > priorities[best]) best = candidates[i];
  return best;
}

bool draw_stale(uint32_t so_far) { return so_far < STALE; }
int draw_option(int count) { return draw() % 3 == 0 ? draw_among(count) : 0; }

#endif
