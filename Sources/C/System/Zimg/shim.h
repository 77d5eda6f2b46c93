#if !__has_include(<zimg.h>)
#error "zimg is missing: run Scripts/setup of Streams, or install libzimg-dev on Debian."
#endif
#include <zimg.h>

// The planes of zimg's buffers are arrays of unnamed structs, which Swift does not import.

static inline void zimg_set_readable_plane(
  zimg_image_buffer_const *buffer, unsigned index, const void *data, ptrdiff_t stride, unsigned mask) {
  buffer->plane[index].data = data;
  buffer->plane[index].stride = stride;
  buffer->plane[index].mask = mask;
}

static inline void zimg_set_writable_plane(
  zimg_image_buffer *buffer, unsigned index, void *data, ptrdiff_t stride, unsigned mask) {
  buffer->plane[index].data = data;
  buffer->plane[index].stride = stride;
  buffer->plane[index].mask = mask;
}
