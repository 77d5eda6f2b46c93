#pragma once
#include <stdint.h>
void futex_wait(const void *word, uint32_t value);
void futex_wake(const void *word, int count);
