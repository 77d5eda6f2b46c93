#include "jpeg_reader.h"

#include <string.h>

#include <jerror.h>

// Of a block libjpeg keeps 64 coefficients. A small picture needs up to 16 of them, often one: these are kept here, and
// blocks exist for the rows only that libjpeg is at work on.

// It stands where libjpeg has an array of its own, about which it asks nobody else.
struct JPEGArray {
  JDIMENSION columns;
  JDIMENSION rows;
  JDIMENSION maximumAccess;
  /// As many columns, and rows, of each block are kept.
  JDIMENSION side;
  JCOEF *coefficients;
  JBLOCKARRAY lines;
  /// The rows that the lines hold.
  JDIMENSION start;
  JDIMENSION count;
  bool isWritten;
  /// Whether more than the first coefficient of a block may have been written.
  bool isDetailed;
};

static void store(JPEGArray *array) {
  if (!array->isWritten) return;
  array->isWritten = false;
  JDIMENSION side = array->side;
  for (JDIMENSION row = 0; row < array->count; row++) {
    JCOEF *kept = array->coefficients + (size_t)(array->start + row) * array->columns * side * side;
    JBLOCKROW line = array->lines[row];
    for (JDIMENSION column = 0; column < array->columns; column++, kept += side * side) {
      kept[0] = line[column][0];
      for (JDIMENSION place = 1; place < side * side; place++) {
        kept[place] = line[column][place / side * DCTSIZE + place % side];
      }
    }
    if (array->isDetailed) memset(line, 0, array->columns * sizeof(JBLOCK));
  }
}

static void load(JPEGArray *array) {
  JDIMENSION side = array->side;
  for (JDIMENSION row = 0; row < array->count; row++) {
    const JCOEF *kept = array->coefficients + (size_t)(array->start + row) * array->columns * side * side;
    JBLOCKROW line = array->lines[row];
    for (JDIMENSION column = 0; column < array->columns; column++, kept += side * side) {
      line[column][0] = kept[0];
      for (JDIMENSION place = 1; place < side * side; place++) {
        line[column][place / side * DCTSIZE + place % side] = kept[place];
      }
    }
  }
}

static jvirt_barray_ptr request(
  j_common_ptr info, int pool, boolean isZero, JDIMENSION columns, JDIMENSION rows, JDIMENSION maximumAccess) {
  CodecJPEGReader *reader = info->client_data;
  JPEGMemory *memory = &reader->memory;
  // libjpeg asks for the components in their order.
  int index = memory->requests++;
  bool isCompact = index < reader->info.num_components && reader->plan.isCompact[index];
  if (!isCompact) return memory->request(info, pool, isZero, columns, rows, maximumAccess);

  JPEGArray *array = info->mem->alloc_small(info, pool, sizeof *array);
  memset(array, 0, sizeof *array);
  array->columns = columns;
  array->rows = rows;
  array->maximumAccess = maximumAccess;
  array->side = (JDIMENSION)SCALED_SIZE(&reader->info.comp_info[index]);
  size_t byteCount = (size_t)columns * rows * array->side * array->side * sizeof(JCOEF);
  array->coefficients = info->mem->alloc_large(info, pool, byteCount);
  memset(array->coefficients, 0, byteCount);
  array->lines = info->mem->alloc_barray(info, pool, columns, maximumAccess);
  for (JDIMENSION row = 0; row < maximumAccess; row++) memset(array->lines[row], 0, columns * sizeof(JBLOCK));
  memory->arrays[index] = array;
  return (jvirt_barray_ptr)(void *)array;
}

static JPEGArray *compact_array(const JPEGMemory *memory, jvirt_barray_ptr pointer) {
  for (int index = 0; index < MAX_COMPONENTS; index++) {
    if (memory->arrays[index] && (void *)memory->arrays[index] == (void *)pointer) return memory->arrays[index];
  }
  return NULL;
}

static JBLOCKARRAY access_rows(
  j_common_ptr info, jvirt_barray_ptr pointer, JDIMENSION start, JDIMENSION count, boolean isToBeWritten) {
  CodecJPEGReader *reader = info->client_data;
  JPEGArray *array = compact_array(&reader->memory, pointer);
  if (!array) return reader->memory.access(info, pointer, start, count, isToBeWritten);
  if (count > array->maximumAccess || start > array->rows || count > array->rows - start) {
    ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
  }
  if (start != array->start || count != array->count) {
    store(array);
    array->start = start;
    array->count = count;
    load(array);
  }
  if (isToBeWritten) {
    array->isDetailed = (array->isWritten && array->isDetailed) || reader->info.Se > 0;
    array->isWritten = true;
  }
  return array->lines;
}

void jpeg_compact_memory(CodecJPEGReader *reader) {
  struct jpeg_memory_mgr *manager = reader->info.mem;
  reader->memory.request = manager->request_virt_barray;
  reader->memory.access = manager->access_virt_barray;
  manager->request_virt_barray = request;
  manager->access_virt_barray = access_rows;
}

uint64_t jpeg_coefficient_bytes(const CodecJPEGReader *reader) {
  uint64_t total = 0;
  for (int index = 0; index < reader->info.num_components; index++) {
    const jpeg_component_info *component = &reader->info.comp_info[index];
    uint64_t columns = component->width_in_blocks + (uint64_t)component->h_samp_factor;
    uint64_t rows = component->height_in_blocks + (uint64_t)component->v_samp_factor;
    uint64_t side = reader->plan.isCompact[index] ? (uint64_t)SCALED_SIZE(component) : DCTSIZE;
    total += columns * rows * side * side * sizeof(JCOEF);
  }
  return total;
}
