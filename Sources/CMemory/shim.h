// What processors can do with memory and Swift has no name for.
#ifndef PASSAGE_CMEMORY_SHIM_H
#define PASSAGE_CMEMORY_SHIM_H

#include <stdint.h>

// Tells the processor that the line of memory at an address is about to be written, so that it takes the
// line from the cache of another one beside what it does. It changes nothing, and any address is allowed.
static inline void passage_prepare_writing(uintptr_t address) {
#if defined(__x86_64__)
  // The compiler gives the instruction for no processor unless it is named. Those that cannot do it take it
  // for one that does nothing.
  __asm__ volatile("prefetchw %0" : : "m"(*(const char *)address));
#else
  __builtin_prefetch((const void *)address, 1);
#endif
}

#endif
