#define _GNU_SOURCE
#include "engine.h"
#if IS_EXPLORABLE
#include <stdlib.h>
#include <sys/mman.h>

// The C11 model of release and acquire in its operational form, without values out of thin air:
//
// - An atomic has its stores in modification order. A thread cannot load a store that is older than one that it, or a
//   step that happens before it, has seen. It can load any other.
// - A store that releases carries the clock of its thread; a load of it that acquires joins that. A read-modify-write
//   passes on the clock of the store that it reads: it continues the release sequence. Fences act on the relaxed
//   accesses around them.
// - A store takes any place in modification order behind those that its thread must have seen. Nothing comes between a
//   read-modify-write and the store that it reads.
// - A sequentially consistent load does not read, and such a store does not precede, anything older than what another
//   such access has seen. A sequentially consistent fence is ordered with all others.
// - A load does not read a store that is executed after it. Load buffering is possible in C11 but not here.
//
// Other memory has one value. Two accesses to a byte, one of which writes, must be ordered by the clocks. If they are
// not, they are a data race.

enum { STORES = 1 << 18, TABLE = 1 << 17, ACCESSES = 1 << 20, OPTIONS = 8 };

static store_t *stores;
static int32_t store_count;

typedef struct { uintptr_t address; uint32_t schedule; vclock clock; } sync_t;
typedef struct { uintptr_t granule; uint32_t schedule; uint32_t first; } shadow_t;
/// The last access of a thread to bytes of eight.
typedef struct { uintptr_t caller; uint32_t next; uint16_t step; uint8_t thread, mask, kind; bool is_atomic; } access_t;

static place_t *places;
static sync_t *syncs;
static shadow_t *shadows;
static owner_t *owners;
static access_t *accesses;
static uint32_t access_count;
static vclock fence_clock;

static void *reserve(size_t bytes) {
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) abort();
  return start;
}

void memory_init(void) {
  if (stores) return;
  stores = reserve(STORES * sizeof *stores);
  places = reserve(TABLE * sizeof *places);
  syncs = reserve(TABLE * sizeof *syncs);
  shadows = reserve(TABLE * sizeof *shadows);
  owners = reserve(TABLE * sizeof *owners);
  accesses = reserve(ACCESSES * sizeof *accesses);
}

void memory_clear(void) {
  store_count = 0;
  access_count = 1;
  memset(&fence_clock, 0, sizeof fence_clock);
}

store_t *memory_store(int32_t number) { return stores + number; }

// MARK: Tables, whose entries are those of the running schedule

#define FIND(table, entry, key, value)                                                        \
  uint32_t at = (uint32_t)(((value) * 0x9E3779B97F4A7C15ull) >> 47), tried = 0;               \
  while ((table)[at].schedule == schedule_number && (table)[at].key != (value)) {             \
    if (++tried == TABLE / 2) give_up(INTERLEAVINGS_TOO_LARGE, "a schedule uses too much memory to be explored"); \
    at = (at + 1) & (TABLE - 1);                                                               \
  }                                                                                            \
  entry = (table) + at;

static word_t raw(uintptr_t address, int size) {
  switch (size) {
    case 1: return *(uint8_t *)address;
    case 2: return *(uint16_t *)address;
    case 4: return *(uint32_t *)address;
    case 8: return *(uint64_t *)address;
    default: { word_t value; memcpy(&value, (void *)address, 16); return value; }
  }
}

static void put(uintptr_t address, int size, word_t value) {
  switch (size) {
    case 1: *(uint8_t *)address = (uint8_t)value; break;
    case 2: *(uint16_t *)address = (uint16_t)value; break;
    case 4: *(uint32_t *)address = (uint32_t)value; break;
    case 8: *(uint64_t *)address = (uint64_t)value; break;
    default: memcpy((void *)address, &value, 16);
  }
}

static word_t cut(word_t value, int size) { return size == 16 ? value : value & (((word_t)1 << (size * 8)) - 1); }

static int32_t new_store(word_t value, int32_t older) {
  if (store_count == STORES) give_up(INTERLEAVINGS_TOO_LARGE, "a schedule stores too often to be explored");
  store_t *store = stores + store_count;
  memset(store, 0, sizeof *store);
  memset(&store->seen, 0xFF, sizeof store->seen);
  store->value = value;
  store->older = older;
  return store_count++;
}

place_t *memory_place(uintptr_t address, int size) {
  place_t *place;
  FIND(places, place, address, address);
  if (place->schedule != schedule_number) *place = (place_t){address, schedule_number, -1, size, true};
  if (place->is_unknown) {
    // Everybody knows what was there. What wrote it is ordered with this access, or else races with it.
    place->is_unknown = false;
    place->newest = new_store(raw(address, size), -1);
    memset(&stores[place->newest].seen, 0, sizeof(vclock));
  }
  return place;
}

vclock *memory_sync(uintptr_t address) {
  sync_t *sync;
  FIND(syncs, sync, address, address);
  if (sync->schedule != schedule_number) {
    sync->address = address;
    sync->schedule = schedule_number;
    memset(&sync->clock, 0, sizeof sync->clock);
  }
  return &sync->clock;
}

owner_t *owner_of(uintptr_t address) {
  owner_t *owner;
  FIND(owners, owner, address, address);
  if (owner->schedule != schedule_number) *owner = (owner_t){address, schedule_number, 0, 0};
  return owner;
}

// MARK: Atomics

static int bits_of(int order) {
  switch (order) {
    case 0: return 0;
    case 1: case 2: return ACQUIRES;
    case 3: return RELEASES;
    case 4: return ACQUIRES | RELEASES;
    default: return ACQUIRES | RELEASES | SEQUENTIAL;
  }
}

// MARK: Orders of the sources, which can be weakened

enum { CALLERS = 1 << 12 };
typedef struct { uintptr_t caller; uint16_t numbers[2]; } ordered_t;
static ordered_t *ordered;
static uint8_t effects[INTERLEAVINGS_ORDERS];
static int weakened, weakened_bits;

static ordered_t *ordered_at(uintptr_t caller) {
  size_t at = (caller * 0x9E3779B97F4A7C15ull) >> 52;
  while (ordered[at].caller && ordered[at].caller != caller) at = (at + 1) % CALLERS;
  return ordered + at;
}

bool interleavings_number_order(uintptr_t caller, bool is_failure, int number) {
  static int count;
  if (!ordered) ordered = reserve(CALLERS * sizeof *ordered);
  ordered_t *entry = ordered_at(caller);
  if (number <= 0 || number >= INTERLEAVINGS_ORDERS || (!entry->caller && ++count > CALLERS / 2)) return false;
  entry->caller = caller;
  entry->numbers[is_failure] = (uint16_t)number;
  return true;
}
void interleavings_weaken(int number, int bits) {
  weakened = number;
  weakened_bits = bits;
}
uint8_t *interleavings_effects(void) { return effects; }

/// The order of an access that the running hook is about, and its number.
typedef struct { int bits, number; } order_t;
static order_t order_of(int order, bool is_failure, int without) {
  order_t here = {bits_of(order) & ~without, 0};
  if (!ordered) return here;
  here.number = ordered_at(hook_caller)->numbers[is_failure];
  if (here.number != 0 && here.number == weakened) here.bits = weakened_bits & ~without;
  return here;
}

/// An acquisition reads `store`. Notes down which orders it needs, if it orders anything.
static void note_effects(int32_t store, int number) {
  vclock joined = threads[current].clock;
  join(&joined, &stores[store].clock);
  if (!memcmp(&joined, &threads[current].clock, sizeof joined)) return;
  effects[number] |= ACQUIRES;
  for (; store >= 0; store = stores[store].older) {
    effects[stores[store].order] |= RELEASES;
    if (!stores[store].is_update) return;
  }
}

/// What an access can do: read a store, and store before another one, or last if that is -1.
typedef struct { int32_t read, next; } option_t;
static option_t options[OPTIONS];
static int option_count;

static void add_option(int32_t read, int32_t next) {
  if (option_count < OPTIONS) options[option_count++] = (option_t){read, next};
}

static bool knows(int32_t store) {
  return knows_any(&threads[current].clock, &stores[store].seen);
}

/// The next older store than `store`, if the thread need not have seen that one; -1 if it must.
static int32_t older_than(int32_t store, int bits) {
  if (knows(store)) return -1;
  int32_t older = stores[store].older;
  if (older < 0 || ((bits & SEQUENTIAL) && stores[store].is_sequential)) return -1;
  return older;
}

static void observe(int32_t number, order_t order) {
  store_t *store = stores + number;
  int bits = order.bits;
  if (order.number != 0 && (bits & ACQUIRES)) note_effects(number, order.number);
  uint16_t step = step_of(current);
  if (step < store->seen[current]) store->seen[current] = step;
  if (bits & ACQUIRES) join(&threads[current].clock, &store->clock);
  else join(&threads[current].acquirable, &store->clock);
  if (bits & SEQUENTIAL) store->is_sequential = true;
}

static void write_store(place_t *place, word_t value, int32_t next, order_t order, bool is_update) {
  int bits = order.bits;
  int32_t older = next < 0 ? place->newest : stores[next].older;
  int32_t number = new_store(cut(value, place->size), older);
  store_t *store = stores + number;
  if (next < 0) place->newest = number;
  else stores[next].older = number;
  store->seen[current] = step_of(current);
  store->is_update = is_update;
  store->is_sequential = (bits & SEQUENTIAL) != 0;
  if (is_update) store->clock = stores[older].clock;
  if (bits & RELEASES) store->order = (uint16_t)order.number;
  join(&store->clock, (bits & RELEASES) ? &threads[current].clock : &threads[current].released);
  if (next < 0) put(place->address, place->size, store->value);
}

static bool begin(uintptr_t address, int size, bool is_write, place_t **place) {
  if (exempts_statics ? is_static(address) : is_cache_of_metadata(address)) return false;
  reach(address, is_write);
  plain_access(address, size, is_write, true);
  *place = memory_place(address, size);
  option_count = 0;
  return true;
}

static void finish(uintptr_t address, bool is_write) {
  advance(current);
  touch(address, is_write);
}

/// Notes down that the thread looked at `address`. A loop that looks at the same values again waits for another thread.
static void look(place_t *place, word_t value, bool has_changed) {
  thread_t *me = threads + current;
  if (has_changed) { me->look_count = me->idle = 0; me->patience = PATIENCE; return; }
  for (int i = 0; i < me->look_count; i++) {
    if (me->looks[i].address != place->address || me->looks[i].caller != hook_caller) continue;
    if (me->looks[i].value != value) { me->look_count = 0; break; }
    if (++me->looks[i].count < me->patience) return;
    // It may also give up looking, and do something else.
    if (choose_preemption()) me->patience = MUCH_PATIENCE;
    else wait_until(WAITS_CHANGE, place->address);
    return;
  }
  if (me->look_count == LOOKS) me->look_count = 0;
  int at = me->look_count++;
  me->looks[at].address = place->address;
  me->looks[at].caller = hook_caller;
  me->looks[at].value = value;
  me->looks[at].count = 1;
}

word_t atomic_load(uintptr_t address, int size, int order) {
  place_t *place;
  order_t here = order_of(order, false, RELEASES);
  int bits = here.bits;
  bool is_write = (bits & SEQUENTIAL) != 0;
  if (!begin(address, size, is_write, &place)) return raw(address, size);
  add_option(place->newest, -1);
  if (choose_stale()) {
    for (int32_t store = older_than(place->newest, bits); store >= 0; store = older_than(store, bits)) add_option(store, -1);
  }
  int32_t read = options[choose_option(option_count)].read;
  observe(read, here);
  word_t value = stores[read].value;
  record(INTERLEAVINGS_LOAD, address, size, (uint64_t)value, 0, read != place->newest);
  finish(address, is_write);
  look(place, value, false);
  return value;
}

void atomic_store(uintptr_t address, int size, word_t value, int order) {
  place_t *place;
  order_t here = order_of(order, false, ACQUIRES);
  int bits = here.bits;
  if (!begin(address, size, true, &place)) return put(address, size, value);
  add_option(-1, -1);
  if (choose_stale()) {
    int32_t store = place->newest, older;
    while ((older = older_than(store, bits)) >= 0) {
      if (!stores[store].is_update) add_option(-1, store);
      store = older;
    }
  }
  option_t option = options[choose_option(option_count)];
  record(INTERLEAVINGS_STORE, address, size, 0, (uint64_t)cut(value, size), option.next >= 0);
  write_store(place, value, option.next, here, false);
  finish(address, true);
  look(place, 0, true);
}

word_t atomic_update(uintptr_t address, int size, atomic_change change, word_t operand, int order) {
  place_t *place;
  order_t here = order_of(order, false, 0);
  int bits = here.bits;
  if (!begin(address, size, true, &place)) {
    word_t old = raw(address, size);
    put(address, size, change(old, operand));
    return old;
  }
  add_option(place->newest, -1);
  if (choose_stale()) {
    int32_t store = place->newest, older;
    while ((older = older_than(store, bits)) >= 0) {
      if (!stores[store].is_update) add_option(older, store);
      store = older;
    }
  }
  option_t option = options[choose_option(option_count)];
  observe(option.read, here);
  word_t old = stores[option.read].value, new = cut(change(old, operand), size);
  record(size == 4 && new == 0 && old == (word_t)threads[current].fiber->tid ? INTERLEAVINGS_UNLOCK : INTERLEAVINGS_UPDATE, address, size, (uint64_t)old, (uint64_t)new, option.next >= 0);
  write_store(place, new, option.next, here, true);
  finish(address, true);
  look(place, old, old != new);
  return old;
}

/// `Mutex` writes the number of the thread that holds it.
static interleavings_kind kind_of_exchange(bool exchanges, int size, word_t old, word_t desired) {
  word_t id = (word_t)threads[current].fiber->tid;
  if (size == 4 && old == id && desired == 0) return INTERLEAVINGS_UNLOCK;
  if (size == 4 && desired == id) return exchanges ? INTERLEAVINGS_LOCK : INTERLEAVINGS_WAIT;
  return exchanges ? INTERLEAVINGS_EXCHANGED : INTERLEAVINGS_NOT_EXCHANGED;
}

word_t atomic_exchange_if(
  uintptr_t address, int size, word_t expected, word_t desired, int order, int failure
) {
  place_t *place;
  order_t here = order_of(order, false, 0);
  int bits = here.bits;
  if (!begin(address, size, true, &place)) {
    word_t old = raw(address, size);
    if (old == expected) put(address, size, desired);
    return old;
  }
  add_option(place->newest, -1);
  if (choose_stale()) {
    int32_t store = place->newest, older;
    while ((older = older_than(store, bits)) >= 0) {
      if (stores[older].value != expected || !stores[store].is_update) add_option(older, store);
      store = older;
    }
  }
  option_t option = options[choose_option(option_count)];
  word_t old = stores[option.read].value;
  bool exchanges = old == expected;
  observe(option.read, exchanges ? here : order_of(failure, true, RELEASES));
  record(kind_of_exchange(exchanges, size, old, desired), address, size, (uint64_t)old, (uint64_t)desired, option.next >= 0);
  if (exchanges) write_store(place, desired, option.next, here, true);
  finish(address, exchanges || (bits & SEQUENTIAL));
  look(place, old, exchanges && expected != desired);
  return old;
}

void atomic_fence(int order) {
  int bits = bits_of(order);
  thread_t *me = threads + current;
  if (bits & SEQUENTIAL) reach((uintptr_t)&fence_clock, true);
  if (bits & ACQUIRES) join(&me->clock, &me->acquirable);
  if (bits & SEQUENTIAL) {
    join(&me->clock, &fence_clock);
    fence_clock = me->clock;
  }
  if (bits & RELEASES) me->released = me->clock;
  record(INTERLEAVINGS_FENCE, 0, 0, 0, 0, false);
  advance(current);
  if (bits & SEQUENTIAL) touch((uintptr_t)&fence_clock, true);
}

// MARK: Other memory

/// Notes down an access to some bytes of eight.
static void note(uintptr_t granule, uint8_t mask, interleavings_kind kind, bool is_atomic) {
  shadow_t *shadow;
  FIND(shadows, shadow, granule, granule);
  if (shadow->schedule != schedule_number) {
    *shadow = (shadow_t){granule, schedule_number, 0};
  }
  thread_t *me = threads + current;
  uint16_t step = step_of(current);
  bool is_write = kind != INTERLEAVINGS_READ, is_noted = false;
  uint32_t *link = &shadow->first;
  while (*link) {
    access_t *other = accesses + *link;
    bool is_before = other->thread == current || other->step <= me->clock[other->thread];
    bool other_writes = other->kind != INTERLEAVINGS_READ;
    if ((other->mask & mask) && (is_write || other_writes) && !(is_atomic && other->is_atomic)) {
      object_kind object = is_before ? NO_OBJECT : object_at(granule << 3);
      if (object == IGNORED_OBJECT) return;
      if (object == DEALLOCATED_OBJECT && other->kind != INTERLEAVINGS_FREE) {
        // It ended before this thread could deallocate the object.
        me->clock[other->thread] = other->step;
        is_before = true;
      }
      if (!is_before || other->kind == INTERLEAVINGS_FREE) race_with(other->thread, other->kind, other->caller, granule << 3, is_before);
    }
    if (other->thread == current && other->kind == kind && other->is_atomic == is_atomic && other->mask == mask) {
      other->step = step;
      other->caller = hook_caller;
      is_noted = true;
    } else if (is_before && is_write && !is_atomic && (other->mask & ~mask) == 0) {
      *link = other->next;
      continue;
    }
    link = &other->next;
  }
  if (is_noted) return;
  if (access_count == ACCESSES) give_up(INTERLEAVINGS_TOO_LARGE, "a schedule uses too much memory to be explored");
  accesses[access_count] = (access_t){hook_caller, shadow->first, step, current, mask, kind, is_atomic};
  shadow->first = access_count++;
}

static bool is_on_stack(uintptr_t address) {
  for (int i = 0; i < thread_count; i++) {
    fiber_t *fiber = threads[i].fiber;
    if (fiber && address >= (uintptr_t)fiber->stack_start && address < (uintptr_t)fiber->stack_end) return true;
  }
  return false;
}

static void check_bytes(uintptr_t address, size_t size, interleavings_kind kind, bool is_atomic) {
  uintptr_t end = address + size;
  while (address < end) {
    uintptr_t granule = address >> 3, next = (granule + 1) << 3;
    unsigned first = address & 7, count = (unsigned)((end < next ? end : next) - address);
    uint8_t mask = (uint8_t)(((1u << count) - 1) << first);
    note(granule, mask, kind, is_atomic);
    address = next;
  }
}

void plain_access(uintptr_t address, size_t size, bool is_write, bool is_atomic) {
  if (threads[current].ignores > 0 || size > 1 << 16 || is_on_stack(address)) return;
  if (exempts_statics && is_static(address)) return;
  if (!is_atomic) {
    if (is_write) {
      place_t *place;
      FIND(places, place, address, address);
      if (place->schedule == schedule_number) place->is_unknown = true;
      record(INTERLEAVINGS_WRITE, address, (int)size, 0, 0, false);
    } else {
      record(INTERLEAVINGS_READ, address, (int)size, 0, 0, false);
    }
  }
  check_bytes(address, size, is_write ? INTERLEAVINGS_WRITE : INTERLEAVINGS_READ, is_atomic);
}

void memory_free(uintptr_t address, size_t size) {
  if (size > 1 << 12) return;
  record(INTERLEAVINGS_FREE, address, 0, 0, 0, false);
  check_bytes(address, size, INTERLEAVINGS_FREE, false);
}

#endif
