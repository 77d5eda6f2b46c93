#include "jpeg_scans.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool jpeg_walk_next(JPEGWalk *walk) {
  size_t position = walk->end;
  while (position + 1 < walk->count) {
    const uint8_t *found = memchr(walk->bytes + position, 0xFF, walk->count - position - 1);
    if (!found) return false;
    position = (size_t)(found - walk->bytes);
    uint8_t marker = walk->bytes[position + 1];
    bool isData = marker == 0x00 || marker == 0x01 || (marker >= JPEG_RST0 && marker <= JPEG_RST0 + 7);
    if (isData || marker == 0xFF) {
      position += isData ? 2 : 1;
      continue;
    }
    walk->marker = marker;
    walk->start = position;
    walk->end = position + 2;
    if (marker == JPEG_EOI) return true;
    if (walk->count - position < 4) return false;
    size_t length = (size_t)walk->bytes[position + 2] << 8 | walk->bytes[position + 3];
    if (length < 2 || length > walk->count - position - 2) return false;
    walk->end += length;
    return true;
  }
  return false;
}

typedef struct Scan {
  /// Where it stands in the file, up to what follows on its data.
  size_t start;
  size_t end;
  bool isNeeded;
  int components[MAX_COMPS_IN_SCAN];
  int count;
  int first;
  int last;
  /// The number of bits that are still missing after it, and were before.
  int low;
  int high;
} Scan;

static bool read_scan(j_decompress_ptr info, const JPEGWalk *walk, Scan *scan) {
  const uint8_t *header = walk->bytes + walk->start + 4;
  scan->count = header[0];
  bool isWhole = scan->count >= 1 && scan->count <= MAX_COMPS_IN_SCAN
    && walk->end - walk->start == 8 + 2 * (size_t)scan->count;
  if (!isWhole) return false;
  for (int position = 0; position < scan->count; position++) {
    int index = 0;
    while (index < info->num_components && info->comp_info[index].component_id != header[1 + 2 * position]) {
      index++;
    }
    if (index == info->num_components) return false;
    scan->components[position] = index;
  }
  const uint8_t *range = header + 1 + 2 * scan->count;
  scan->first = range[0];
  scan->last = range[1];
  scan->high = range[2] >> 4;
  scan->low = range[2] & 15;
  return scan->first <= scan->last && scan->last < DCTSIZE2 && (scan->first > 0 || scan->last == 0);
}

// Where in a block the coefficients stand that a scan lists in its order.
static const uint8_t naturalOrder[DCTSIZE2] = {
  0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
  41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
  30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
};

// Whether a coefficient is seen at this size: of each block as many columns and rows are as there will be pixels.
static bool is_seen(const jpeg_component_info *component, int position) {
  int place = naturalOrder[position];
  return place / DCTSIZE < SCALED_SIZE(component) && place % DCTSIZE < SCALED_SIZE(component);
}

static bool is_needed(j_decompress_ptr info, const Scan *scan) {
  for (int index = 0; index < scan->count; index++) {
    const jpeg_component_info *component = &info->comp_info[scan->components[index]];
    for (int position = scan->first; position <= scan->last; position++) {
      if (is_seen(component, position)) return true;
    }
  }
  return false;
}

// The squares of what coefficients may be wrong by, added up. The square of what pixels are wrong by is a 64th of
// that: one level, 48 dB.
static const double tolerance = 64;

enum { SOS = 0xDA };

typedef int MissingBits[DCTSIZE2];

// Whether the coefficients that are seen are known well enough.
static bool is_sufficient(j_decompress_ptr info, const MissingBits *missing) {
  for (int index = 0; index < info->num_components; index++) {
    const jpeg_component_info *component = &info->comp_info[index];
    int number = component->quant_tbl_no;
    const JQUANT_TBL *table = number >= 0 && number < NUM_QUANT_TBLS ? info->quant_tbl_ptrs[number] : NULL;
    if (!table) return false;
    double sum = 0;
    for (int position = 0; position < DCTSIZE2; position++) {
      if (!is_seen(component, position)) continue;
      int bits = missing[index][position];
      // -1: not even begun. More than one bit costs more than the sum says, as most coefficients are small.
      if (bits < 0 || bits > 1) return false;
      double step = table->quantval[naturalOrder[position]];
      // The lowest bit is set in half of them.
      if (bits == 1) sum += step * step / 2;
    }
    if (sum > tolerance) return false;
  }
  return true;
}

// What is known once a scan has been read.
static void note(const Scan *scan, MissingBits *missing) {
  for (int index = 0; index < scan->count; index++) {
    for (int position = scan->first; position <= scan->last; position++) {
      missing[scan->components[index]][position] = scan->low;
    }
  }
}

static bool has_component(const Scan *scan, int component) {
  for (int index = 0; index < scan->count; index++) {
    if (scan->components[index] == component) return true;
  }
  return false;
}

// Lower bits cannot be told apart without all coefficients of the scan that are there already.
static void need_what_is_refined(Scan *scans, size_t index, JPEGPlan *plan) {
  const Scan *scan = &scans[index];
  if (!scan->isNeeded || scan->first == 0 || scan->high == 0) return;
  int component = scan->components[0];
  plan->isCompact[component] = false;
  for (size_t earlier = 0; earlier < index; earlier++) {
    Scan *other = &scans[earlier];
    bool overlaps = other->first <= scan->last && other->last >= scan->first;
    if (overlaps && has_component(other, component)) other->isNeeded = true;
  }
}

// Reads the headers of scans, until enough is known. `scans` is to be freed, whatever comes of it.
static bool list_scans(
  j_decompress_ptr info, JPEGWalk walk, size_t start, int maximumScans, Scan **scans, size_t *count,
  bool *isUnderstood) {
  MissingBits missing[MAX_COMPONENTS];
  memset(missing, -1, sizeof missing);
  size_t capacity = 0;
  bool isEnough = false;
  *isUnderstood = false;
  while (jpeg_walk_next(&walk)) {
    if (*count > 0 && (*scans)[*count - 1].end == 0) (*scans)[*count - 1].end = walk.start;
    if (isEnough) break;
    if (walk.marker == JPEG_EOI) return true;
    if (walk.marker != SOS) continue;
    if (*count == capacity) {
      capacity = capacity ? capacity * 2 : 16;
      Scan *larger = realloc(*scans, capacity * sizeof **scans);
      if (!larger) return false;
      *scans = larger;
    }
    Scan *scan = &(*scans)[*count];
    *scan = (Scan){.start = walk.start};
    // The first scan must begin where libjpeg has stopped.
    if (!read_scan(info, &walk, scan) || (*count == 0 && walk.end != start)) return true;
    if (++*count > (size_t)maximumScans) return true;
    note(scan, missing);
    isEnough = is_sufficient(info, (const MissingBits *)missing);
  }
  *isUnderstood = isEnough;
  return true;
}

static bool make_plan(j_decompress_ptr info, Scan *scans, size_t count, JPEGPlan *plan) {
  plan->gaps = malloc(count * sizeof *plan->gaps);
  if (!plan->gaps) return false;
  for (int index = 0; index < info->num_components; index++) {
    plan->isCompact[index] = SCALED_SIZE(&info->comp_info[index]) <= DCTSIZE / 2;
  }
  for (size_t index = 0; index < count; index++) {
    scans[index].isNeeded = index == 0 || is_needed(info, &scans[index]);
  }
  for (size_t index = count; index-- > 0;) need_what_is_refined(scans, index, plan);

  plan->scans = 0;
  for (size_t index = 0; index < count; index++) {
    if (scans[index].isNeeded) {
      plan->scans++;
    } else {
      plan->gaps[plan->count++] = (JPEGGap){scans[index].start, scans[index].end};
    }
  }
  return true;
}

bool jpeg_plan_scans(
  j_decompress_ptr info, const uint8_t *bytes, size_t count, size_t start, int maximumScans, JPEGPlan *plan) {
  JPEGWalk walk = {.bytes = bytes, .count = count, .end = 2};
  Scan *scans = NULL;
  size_t scanCount = 0;
  bool isUnderstood = false;
  plan->scans = INT_MAX;
  bool isDone = list_scans(info, walk, start, maximumScans, &scans, &scanCount, &isUnderstood);
  if (isDone && isUnderstood) isDone = make_plan(info, scans, scanCount, plan);
  free(scans);
  return isDone;
}
