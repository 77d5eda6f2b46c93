#define _GNU_SOURCE
#include "engine.h"
#if IS_EXPLORABLE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The compiler keeps what it looked up, such as the metadata of a type, in variables that it accesses with atomics of
// its own. They would look like shared variables of the code under test. Their mangled names tell them from these.

typedef struct { uintptr_t start, end; } range_t;
static range_t *caches;
static size_t cache_count;

typedef struct { uintptr_t start, end; const char *name; } function_t;
static function_t *functions;
static size_t function_count, function_capacity;

static int by_function(const void *a, const void *b) {
  uintptr_t x = ((const function_t *)a)->start, y = ((const function_t *)b)->start;
  return x < y ? -1 : x > y;
}

static int by_start(const void *a, const void *b) {
  uintptr_t x = ((const range_t *)a)->start, y = ((const range_t *)b)->start;
  return x < y ? -1 : x > y;
}

static bool is_cache(const char *name) {
  size_t length = strlen(name);
  if (strncmp(name, "$s", 2) != 0 || length < 4) return false;
  const char *end = name + length - 2;
  // Demangling cache, lazy cache of metadata, of a witness table, cache of an accessor, initialization cache, token.
  return !strcmp(end, "MD") || !strcmp(end, "ML") || !strcmp(end, "WL") || !strcmp(end, "Ml") || !strcmp(end, "MI") || !strcmp(end, "Wz");
}

static void read_image(const char *path, uintptr_t base) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  struct stat status;
  if (file < 0) return;
  if (fstat(file, &status) != 0) { close(file); return; }
  char *image = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (image == MAP_FAILED) return;
  ElfW(Ehdr) *header = (ElfW(Ehdr) *)image;
  ElfW(Shdr) *sections = (ElfW(Shdr) *)(image + header->e_shoff);
  for (int i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    ElfW(Sym) *symbols = (ElfW(Sym) *)(image + sections[i].sh_offset);
    const char *names = image + sections[sections[i].sh_link].sh_offset;
    size_t count = sections[i].sh_size / sizeof *symbols;
    for (size_t n = 0; n < count; n++) {
      if (ELF64_ST_TYPE(symbols[n].st_info) == STT_FUNC && symbols[n].st_size) {
        if (function_count == function_capacity) {
          function_capacity = function_capacity ? function_capacity * 2 : 1 << 14;
          functions = realloc(functions, function_capacity * sizeof *functions);
        }
        uintptr_t start = base + symbols[n].st_value;
        functions[function_count++] = (function_t){start, start + symbols[n].st_size, names + symbols[n].st_name};
      }
      if (ELF64_ST_TYPE(symbols[n].st_info) != STT_OBJECT || !is_cache(names + symbols[n].st_name)) continue;
      if ((cache_count & (cache_count + 1)) == 0 || !caches) caches = realloc(caches, (cache_count + 1) * 2 * sizeof *caches);
      uintptr_t start = base + symbols[n].st_value;
      caches[cache_count++] = (range_t){start, start + (symbols[n].st_size ? symbols[n].st_size : 8)};
    }
  }
}

static range_t statics[16];
static int static_count;
static range_t code[4];
static int code_count;

bool is_static(uintptr_t address) {
  for (int i = 0; i < static_count; i++) if (address >= statics[i].start && address < statics[i].end) return true;
  return false;
}

static int visit(struct dl_phdr_info *image, size_t size, void *unused) {
  (void)size;
  (void)unused;
  const char *name = image->dlpi_name;
  for (int i = 0; !name[0] && i < image->dlpi_phnum && static_count < 16; i++) {
    const ElfW(Phdr) *segment = image->dlpi_phdr + i;
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t start = image->dlpi_addr + segment->p_vaddr;
    range_t range = {start, start + segment->p_memsz};
    if (segment->p_flags & PF_W) statics[static_count++] = range;
    if ((segment->p_flags & PF_X) && code_count < 4) code[code_count++] = range;
  }
  if (!name[0]) read_image("/proc/self/exe", image->dlpi_addr);
  else if (!strstr(name, "libswift") && !strstr(name, "/libc.") && !strstr(name, "libFoundation")) read_image(name, image->dlpi_addr);
  return 0;
}

const char *symbols_read(void) {
  dl_iterate_phdr(visit, NULL);
  if (function_count) qsort(functions, function_count, sizeof *functions, by_function);
  if (cache_count) qsort(caches, cache_count, sizeof *caches, by_start);
  return NULL;
}

bool is_cache_of_metadata(uintptr_t address) {
  size_t low = 0, high = cache_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (caches[middle].end <= address) low = middle + 1; else high = middle;
  }
  return low < cache_count && caches[low].start <= address;
}

static const char *atomic_function(uintptr_t address) {
  size_t low = 0, high = function_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (functions[middle].start < address) low = middle + 1; else high = middle;
  }
  if (low == function_count || functions[low].start != address) return NULL;
  return strncmp(functions[low].name, "__tsan_atomic", 13) ? NULL : functions[low].name;
}

size_t interleavings_atomic_calls(interleavings_call *calls, size_t capacity) {
  size_t count = 0;
  for (int i = 0; i < code_count; i++) {
    const uint8_t *end = (const uint8_t *)code[i].end;
    for (const uint8_t *at = (const uint8_t *)code[i].start; at + 5 <= end && count < capacity; at++) {
      if (*at != 0xE8) continue; // call, relative to what follows
      int32_t distance;
      memcpy(&distance, at + 1, 4);
      uintptr_t next = (uintptr_t)at + 5;
      const char *function = atomic_function(next + (uintptr_t)(intptr_t)distance);
      if (function) calls[count++] = (interleavings_call){next, function};
    }
  }
  return count;
}

const char *interleavings_function(uintptr_t address) {
  size_t low = 0, high = function_count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (functions[middle].end <= address) low = middle + 1; else high = middle;
  }
  return low < function_count && functions[low].start <= address ? functions[low].name : NULL;
}

#endif
