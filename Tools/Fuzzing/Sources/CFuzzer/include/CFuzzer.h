#pragma once
#include <stddef.h>
#include <stdint.h>

/// libFuzzer, which comes with the compiler, as a function: a package's program has a main of its own.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));
