// RawThumbnails FORMAT EIGHTHS WIDTH HEIGHT COUNT FILE…
//
// Makes COUNT thumbnails of JPEG files in one loop, with the C libraries and nothing around them: libjpeg decodes at EIGHTHS of the
// size, zimg resizes to WIDTH × HEIGHT pixels, and libwebp or libjpeg encodes (FORMAT is webp or jpeg). The settings are those of
// Examples/ThumbnailServer, so the bytes are the same. The files are in memory before the clock starts.
//
// Prints the milliseconds of processor time for each thumbnail: user, system, and of the user's those to decode, resize and encode.
// With a COUNT of 0, writes the thumbnail of the first file to standard output instead.

#define _GNU_SOURCE

#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <jpeglib.h>
#include <webp/encode.h>
#include <zimg.h>

enum { Channels = 3, Quality = 80, Effort = 2, Alignment = 64 };

typedef struct bytes {
  uint8_t *start;
  size_t count;
} bytes;

// One channel after the other, each row at a multiple of the alignment.
typedef struct planes {
  uint8_t *start;
  size_t width, height, stride;
} planes;

static void fail(const char *reason) {
  fprintf(stderr, "raw-thumbnails: %s\n", reason);
  exit(1);
}

static void *checked(void *memory) {
  if (!memory) fail("no memory");
  return memory;
}

static bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END) != 0) fail(path);
  long count = ftell(file);
  rewind(file);
  bytes whole = {checked(malloc((size_t)count)), (size_t)count};
  if (fread(whole.start, 1, whole.count, file) != whole.count) fail(path);
  fclose(file);
  return whole;
}

static uint8_t *row(const planes *image, size_t channel, size_t y) {
  return image->start + (channel * image->height + y) * image->stride;
}

static planes make_planes(size_t width, size_t height) {
  planes image = {NULL, width, height, (width + Alignment - 1) / Alignment * Alignment};
  image.start = checked(aligned_alloc(Alignment, image.stride * height * Channels));
  return image;
}

// SSE2 alone lacks a shuffle of bytes, which these loops need.
#if defined(__x86_64__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

FOR_EACH_PROCESSOR static void split(
  const uint8_t *restrict packed, size_t count, uint8_t *restrict red, uint8_t *restrict green, uint8_t *restrict blue) {
  for (size_t pixel = 0; pixel < count; pixel++) {
    red[pixel] = packed[pixel * 3];
    green[pixel] = packed[pixel * 3 + 1];
    blue[pixel] = packed[pixel * 3 + 2];
  }
}

FOR_EACH_PROCESSOR static void merge(
  const uint8_t *restrict red, const uint8_t *restrict green, const uint8_t *restrict blue, size_t count,
  uint8_t *restrict packed) {
  for (size_t pixel = 0; pixel < count; pixel++) {
    packed[pixel * 3] = red[pixel];
    packed[pixel * 3 + 1] = green[pixel];
    packed[pixel * 3 + 2] = blue[pixel];
  }
}

static planes decode(bytes file, unsigned eighths) {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, file.start, file.count);
  jpeg_read_header(&info, TRUE);
  info.out_color_space = JCS_RGB;
  info.scale_num = eighths;
  info.scale_denom = 8;
  jpeg_start_decompress(&info);
  planes image = make_planes(info.output_width, info.output_height);
  JSAMPROW line = checked(malloc((size_t)info.output_width * Channels));
  for (size_t y = 0; y < image.height; y++) {
    jpeg_read_scanlines(&info, &line, 1);
    split(line, image.width, row(&image, 0, y), row(&image, 1, y), row(&image, 2, y));
  }
  free(line);
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return image;
}

static zimg_image_format format_of(const planes *image) {
  zimg_image_format format;
  zimg_image_format_default(&format, ZIMG_API_VERSION);
  format.width = (unsigned)image->width;
  format.height = (unsigned)image->height;
  format.pixel_type = ZIMG_PIXEL_BYTE;
  format.depth = 8;
  format.pixel_range = ZIMG_RANGE_FULL;
  format.color_family = ZIMG_COLOR_RGB;
  format.matrix_coefficients = ZIMG_MATRIX_RGB;
  return format;
}

// As the server does, it keeps the filters from one image to the next of the same size.
static planes resize(const planes *source, size_t width, size_t height) {
  static zimg_filter_graph *graph;
  static planes made;
  static void *scratch;
  planes result = make_planes(width, height);
  if (!graph || made.width != source->width || made.height != source->height) {
    zimg_graph_builder_params parameters;
    zimg_graph_builder_params_default(&parameters, ZIMG_API_VERSION);
    parameters.resample_filter = ZIMG_RESIZE_LANCZOS;
    zimg_image_format from = format_of(source), to = format_of(&result);
    zimg_filter_graph_free(graph);
    graph = zimg_filter_graph_build(&from, &to, &parameters);
    size_t count = 0;
    if (!graph || zimg_filter_graph_get_tmp_size(graph, &count) != ZIMG_ERROR_SUCCESS) fail("zimg refuses the sizes");
    free(scratch);
    scratch = checked(aligned_alloc(Alignment, (count + Alignment - 1) / Alignment * Alignment));
    made = *source;
  }
  zimg_image_buffer_const from = {.version = ZIMG_API_VERSION};
  zimg_image_buffer to = {.version = ZIMG_API_VERSION};
  for (size_t channel = 0; channel < Channels; channel++) {
    from.plane[channel].data = row(source, channel, 0);
    from.plane[channel].stride = (ptrdiff_t)source->stride;
    from.plane[channel].mask = ZIMG_BUFFER_MAX;
    to.plane[channel].data = row(&result, channel, 0);
    to.plane[channel].stride = (ptrdiff_t)result.stride;
    to.plane[channel].mask = ZIMG_BUFFER_MAX;
  }
  if (zimg_filter_graph_process(graph, &from, &to, scratch, NULL, NULL, NULL, NULL) != ZIMG_ERROR_SUCCESS) {
    fail("zimg does not resize");
  }
  return result;
}

static bytes encode_webp(const uint8_t *packed, size_t width, size_t height) {
  WebPConfig config;
  WebPPicture picture;
  if (!WebPConfigInit(&config) || !WebPPictureInit(&picture)) fail("another libwebp");
  config.quality = Quality;
  config.method = Effort;
  picture.width = (int)width;
  picture.height = (int)height;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  if (!WebPPictureImportRGB(&picture, packed, (int)width * Channels) || !WebPEncode(&config, &picture)) {
    fail("libwebp does not encode");
  }
  WebPPictureFree(&picture);
  return (bytes){writer.mem, writer.size};
}

static bytes encode_jpeg(uint8_t *packed, size_t width, size_t height) {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  info.err = jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char *start = NULL;
  unsigned long count = 0;
  jpeg_mem_dest(&info, &start, &count);
  info.image_width = (JDIMENSION)width;
  info.image_height = (JDIMENSION)height;
  info.input_components = Channels;
  info.in_color_space = JCS_RGB;
  jpeg_set_defaults(&info);
  jpeg_set_quality(&info, Quality, TRUE);
  jpeg_start_compress(&info, TRUE);
  for (size_t y = 0; y < height; y++) {
    JSAMPROW line = packed + y * width * Channels;
    jpeg_write_scanlines(&info, &line, 1);
  }
  jpeg_finish_compress(&info);
  jpeg_destroy_compress(&info);
  return (bytes){start, count};
}

static double processor_time(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double milliseconds(struct timeval time) { return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3; }

typedef struct settings {
  int isWebP;
  unsigned eighths;
  size_t width, height;
} settings;

// Adds the time of each step to `parts`.
static bytes make(bytes file, const settings *settings, double parts[3]) {
  double start = processor_time();
  planes image = decode(file, settings->eighths);
  double decoded = processor_time();
  planes small = resize(&image, settings->width, settings->height);
  free(image.start);
  uint8_t *packed = checked(malloc(small.width * small.height * Channels));
  for (size_t y = 0; y < small.height; y++) {
    merge(row(&small, 0, y), row(&small, 1, y), row(&small, 2, y), small.width, packed + y * small.width * Channels);
  }
  free(small.start);
  double resized = processor_time();
  bytes result = settings->isWebP ? encode_webp(packed, settings->width, settings->height)
                                  : encode_jpeg(packed, settings->width, settings->height);
  free(packed);
  parts[0] += decoded - start;
  parts[1] += resized - decoded;
  parts[2] += processor_time() - resized;
  return result;
}

int main(int count, char **words) {
  if (count < 7) fail("FORMAT EIGHTHS WIDTH HEIGHT COUNT FILE…");
  // Pages of the last image are used for the next one, as in the server.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TRIM_THRESHOLD, 256 << 20);
  settings settings = {
    strcmp(words[1], "webp") == 0, (unsigned)atoi(words[2]), (size_t)atol(words[3]), (size_t)atol(words[4])};
  long wanted = atol(words[5]);
  int files = count - 6;
  bytes *all = checked(calloc((size_t)files, sizeof *all));
  for (int index = 0; index < files; index++) all[index] = read_file(words[6 + index]);

  double parts[3] = {0, 0, 0};
  bytes first = make(all[0], &settings, parts);
  if (wanted == 0) return fwrite(first.start, 1, first.count, stdout) == first.count ? 0 : 1;
  struct rusage before, after;
  memset(parts, 0, sizeof parts);
  getrusage(RUSAGE_SELF, &before);
  for (long index = 0; index < wanted; index++) {
    bytes result = make(all[index % files], &settings, parts);
    free(result.start);
  }
  getrusage(RUSAGE_SELF, &after);
  double each = 1.0 / (double)wanted;
  printf(
    "%.3f %.3f %.3f %.3f %.3f\n", (milliseconds(after.ru_utime) - milliseconds(before.ru_utime)) * each,
    (milliseconds(after.ru_stime) - milliseconds(before.ru_stime)) * each, parts[0] * each, parts[1] * each,
    parts[2] * each);
  return 0;
}
