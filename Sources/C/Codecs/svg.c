#include "CodecSVG.h"

#include <stdio.h>
#include <string.h>

#ifndef _WIN32

#include <dlfcn.h>
#include <pthread.h>

// What of librsvg, Cairo and GLib is used, as their interfaces have been since librsvg 2.52 and will be as long as the names
// of the libraries end in these numbers.
typedef struct GError {
  uint32_t domain;
  int code;
  char *message;
} GError;

typedef struct Rectangle {
  double x;
  double y;
  double width;
  double height;
} Rectangle;

typedef struct Length {
  double length;
  int unit;
} Length;

enum { UNIT_PERCENT, UNIT_PIXEL, UNIT_EM, UNIT_EX, UNIT_INCH, UNIT_CENTIMETRE, UNIT_MILLIMETRE, UNIT_POINT, UNIT_PICA };
enum { CAIRO_ARGB32 = 0, CAIRO_SUCCESS = 0, CAIRO_NO_MEMORY = 1 };

static struct Functions {
  void *(*from_data)(const uint8_t *, size_t, GError **);
  void (*set_dpi)(void *, double);
  int (*size_in_pixels)(void *, double *, double *);
  void (*dimensions)(void *, int *, Length *, int *, Length *, int *, Rectangle *);
  int (*render)(void *, void *, const Rectangle *, GError **);
  void *(*surface)(uint8_t *, int, int, int, int);
  int (*surface_status)(void *);
  void (*surface_flush)(void *);
  void (*surface_destroy)(void *);
  void *(*create)(void *);
  int (*status)(void *);
  void (*scale)(void *, double, double);
  void (*translate)(void *, double, double);
  void (*destroy)(void *);
  void (*unref)(void *);
  void (*error_free)(GError *);
} call;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool isLoaded;

// POSIX says that a pointer to a function survives this.
static bool find(void *library, const char *name, void *slot, char *missing) {
  void *symbol = dlsym(library, name);
  memcpy(slot, &symbol, sizeof symbol);
  if (!symbol) snprintf(missing, CodecMessageCapacity, "%s", name);
  return symbol != NULL;
}

static bool find_all(void *rsvg, void *cairo, void *gobject, char *missing) {
  return find(rsvg, "rsvg_handle_new_from_data", &call.from_data, missing)
    && find(rsvg, "rsvg_handle_set_dpi", &call.set_dpi, missing)
    && find(rsvg, "rsvg_handle_get_intrinsic_size_in_pixels", &call.size_in_pixels, missing)
    && find(rsvg, "rsvg_handle_get_intrinsic_dimensions", &call.dimensions, missing)
    && find(rsvg, "rsvg_handle_render_document", &call.render, missing)
    && find(cairo, "cairo_image_surface_create_for_data", &call.surface, missing)
    && find(cairo, "cairo_surface_status", &call.surface_status, missing)
    && find(cairo, "cairo_surface_flush", &call.surface_flush, missing)
    && find(cairo, "cairo_surface_destroy", &call.surface_destroy, missing)
    && find(cairo, "cairo_create", &call.create, missing)
    && find(cairo, "cairo_status", &call.status, missing)
    && find(cairo, "cairo_scale", &call.scale, missing)
    && find(cairo, "cairo_translate", &call.translate, missing)
    && find(cairo, "cairo_destroy", &call.destroy, missing)
    && find(gobject, "g_object_unref", &call.unref, missing)
    // Of GLib, on which GObject stands.
    && find(gobject, "g_error_free", &call.error_free, missing);
}

static void *open_library(const char *name, char *missing) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) snprintf(missing, CodecMessageCapacity, "%s", name);
  return library;
}

bool codec_svg_load(const char *rsvg, const char *cairo, const char *gobject, char *missing) {
  pthread_mutex_lock(&lock);
  // They stay open: GLib cannot be unloaded.
  void *first = open_library(rsvg, missing);
  void *second = first ? open_library(cairo, missing) : NULL;
  void *third = second ? open_library(gobject, missing) : NULL;
  bool isFound = third && (isLoaded || find_all(first, second, third, missing));
  isLoaded = isLoaded || isFound;
  pthread_mutex_unlock(&lock);
  return isFound;
}

static CodecStatus failure(GError *error, char *message) {
  snprintf(message, CodecMessageCapacity, "%s", error && error->message ? error->message : "librsvg gives no reason");
  if (error) call.error_free(error);
  return CodecStatusCorrupt;
}

CodecStatus codec_svg_open(const uint8_t *bytes, size_t count, CodecSVG **svg, char *message) {
  GError *error = NULL;
  // Without an address of its own, a document has no relative ones, and librsvg reads no others.
  void *handle = call.from_data(bytes, count, &error);
  *svg = handle;
  if (!handle) return failure(error, message);
  call.set_dpi(handle, 96);
  return CodecStatusDone;
}

static double pixels(int isGiven, Length length) {
  if (!isGiven) return 0;
  switch (length.unit) {
  case UNIT_PIXEL: return length.length;
  case UNIT_INCH: return length.length * 96;
  case UNIT_CENTIMETRE: return length.length * 96 / 2.54;
  case UNIT_MILLIMETRE: return length.length * 96 / 25.4;
  case UNIT_POINT: return length.length * 96 / 72;
  case UNIT_PICA: return length.length * 16;
  default: return 0;
  }
}

void codec_svg_size(const CodecSVG *svg, double *width, double *height) {
  void *handle = (void *)svg;
  if (call.size_in_pixels(handle, width, height)) return;
  int hasWidth = 0, hasHeight = 0, hasBox = 0;
  Length across = {0}, down = {0};
  Rectangle box = {0};
  call.dimensions(handle, &hasWidth, &across, &hasHeight, &down, &hasBox, &box);
  *width = pixels(hasWidth, across);
  *height = pixels(hasHeight, down);
  if (!hasBox || !(box.width > 0) || !(box.height > 0)) return;
  // The box gives the shape, and the size, too, if nothing else does.
  if (*width > 0) {
    *height = *width * box.height / box.width;
  } else if (*height > 0) {
    *width = *height * box.width / box.height;
  } else {
    *width = box.width;
    *height = box.height;
  }
}

// Cairo's pixels are numbers of 32 bits, alpha first, and colors are multiplied by it.
static void straighten(uint8_t *pixels, size_t count) {
  for (size_t index = 0; index < count; index++, pixels += 4) {
    uint32_t pixel;
    memcpy(&pixel, pixels, 4);
    uint32_t alpha = pixel >> 24;
    for (int channel = 0; channel < 3; channel++) {
      uint32_t color = pixel >> (16 - 8 * channel) & 0xFF;
      if (alpha != 0) color = (color * 255 + alpha / 2) / alpha;
      pixels[channel] = (uint8_t)(alpha == 0 ? 0 : color > 255 ? 255 : color);
    }
    pixels[3] = (uint8_t)alpha;
  }
}

static CodecStatus draw(void *handle, void *surface, const CodecSVGFrame *frame, char *message) {
  void *context = call.create(surface);
  call.scale(context, frame->stretchAcross, frame->stretchDown);
  call.translate(context, -frame->left, -frame->top);
  Rectangle viewport = {0, 0, frame->width, frame->height};
  GError *error = NULL;
  CodecStatus status = CodecStatusDone;
  if (!call.render(handle, context, &viewport, &error)) {
    status = failure(error, message);
  } else if (call.status(context) != CAIRO_SUCCESS) {
    status = call.status(context) == CAIRO_NO_MEMORY ? CodecStatusOutOfMemory : failure(NULL, message);
  }
  call.destroy(context);
  return status;
}

CodecStatus codec_svg_draw(CodecSVG *svg, const CodecSVGFrame *frame, char *message) {
  void *surface = call.surface(
    frame->pixels, CAIRO_ARGB32, (int)frame->pixelsAcross, (int)frame->pixelsDown, (int)frame->pixelsAcross * 4);
  CodecStatus status = CodecStatusOutOfMemory;
  if (call.surface_status(surface) == CAIRO_SUCCESS) {
    status = draw(svg, surface, frame, message);
    call.surface_flush(surface);
  }
  call.surface_destroy(surface);
  if (status == CodecStatusDone) straighten(frame->pixels, (size_t)frame->pixelsAcross * frame->pixelsDown);
  return status;
}

void codec_svg_close(CodecSVG *svg) {
  if (svg) call.unref(svg);
}

#else

bool codec_svg_load(const char *rsvg, const char *cairo, const char *gobject, char *missing) {
  (void)cairo;
  (void)gobject;
  snprintf(missing, CodecMessageCapacity, "%s", rsvg);
  return false;
}

CodecStatus codec_svg_open(const uint8_t *bytes, size_t count, CodecSVG **svg, char *message) {
  (void)bytes;
  (void)count;
  (void)message;
  *svg = NULL;
  return CodecStatusUnsupported;
}

void codec_svg_size(const CodecSVG *svg, double *width, double *height) {
  (void)svg;
  *width = *height = 0;
}

CodecStatus codec_svg_draw(CodecSVG *svg, const CodecSVGFrame *frame, char *message) {
  (void)svg;
  (void)frame;
  (void)message;
  return CodecStatusUnsupported;
}

void codec_svg_close(CodecSVG *svg) { (void)svg; }

#endif
