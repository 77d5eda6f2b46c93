#pragma once

/// Has the pixels of thumbnails go back to the system when they are released. Does nothing without glibc.
void return_pixels(void);
