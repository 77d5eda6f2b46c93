#ifndef CGLIB_H
#define CGLIB_H

#include <gio/gio.h>
#include <glib-object.h>
#include <glib-unix.h>
#include <glib.h>

#if defined(__linux__)
// How Core Foundation serves Dispatch's main queue. Dispatch exports both functions and declares them in no header.

/// A descriptor that becomes readable when the main queue has work. It belongs to Dispatch.
extern int _dispatch_get_main_queue_handle_4CF(void);

/// Runs the work that waits in the main queue. On the main thread only.
extern void _dispatch_main_queue_callback_4CF(void *unused);
#endif

#endif
