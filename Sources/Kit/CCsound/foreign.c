// What a plugin for Windows or macOS needs and that system's own libraries lack. Linked into such a plugin; on Linux
// libgcc and glibc have all of it.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __x86_64__
#include <cpuid.h>

// The parts of the processor's state that the operating system saves.
static uint64_t saved_state(void) {
  uint32_t low, high;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

// Whether all bits of `mask` are set in `bits`.
static int has(uint64_t bits, uint64_t mask) { return (bits & mask) == mask; }

// The highest x86-64 ABI level, from 1 to 4, that the processor and the operating system have.
static int highest_level(void) {
  unsigned a, b, c, d, basic_c, extended_c;
  if (!__get_cpuid(1, &a, &b, &basic_c, &d)) return 1;
  if (!__get_cpuid(0x80000001, &a, &b, &extended_c, &d)) return 1;
  if (!has(basic_c, bit_SSE3 | bit_SSSE3 | bit_CMPXCHG16B | bit_SSE41 | bit_SSE42 | bit_POPCNT)) return 1;
  if (!has(extended_c, bit_LAHF_LM)) return 1;
  if (!has(basic_c, bit_FMA | bit_MOVBE | bit_OSXSAVE | bit_AVX | bit_F16C)) return 2;
  if (!has(extended_c, bit_LZCNT) || !has(saved_state(), 0x6)) return 2;
  if (!__get_cpuid_count(7, 0, &a, &b, &c, &d) || !has(b, bit_BMI | bit_AVX2 | bit_BMI2)) return 2;
  if (!has(b, bit_AVX512F | bit_AVX512DQ | bit_AVX512CD | bit_AVX512BW | bit_AVX512VL)) return 3;
  return has(saved_state(), 0xE6) ? 4 : 3;
}

// Whether this processor has a level such as `x86-64-v3`.
int opcodekit_has_level(const char *level) {
  const char *digit = strstr(level, "-v");
  return digit == NULL || digit[2] - '0' <= highest_level();
}

#endif

#ifdef _WIN32
#include <stdarg.h>
#include <stdlib.h>

// ---- Loading. Windows calls this function when it loads and unloads the library; it calls the constructors of C++ code
//      in the order in which the linker has put them.

extern void (*__CTOR_LIST__[])(void);

int DllMainCRTStartup(void *library, uint32_t reason, void *reserved) {
  (void)library, (void)reserved;
  int count = 0;
  if (reason != 1) return 1;
  while (__CTOR_LIST__[count + 1] != NULL) count++;
  for (; count > 0; count--) __CTOR_LIST__[count]();
  return 1;
}

// ---- Functions that Windows' C library has under other names

extern int __stdio_common_vsprintf(uint64_t options, char *text, size_t capacity, const char *format,
                                   void *locale, va_list values);

// Option 2: a text that is too long is cut off, and its whole length returned, as C99 says.
int snprintf(char *text, size_t capacity, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int length = __stdio_common_vsprintf(2, text, capacity, format, NULL, values);
  va_end(values);
  return length;
}

size_t strnlen(const char *text, size_t capacity) {
  const char *end = memchr(text, 0, capacity);
  return end == NULL ? capacity : (size_t)(end - text);
}

// mingw's import library has these functions of the system as pointers only, because mingw brings its own, which compute
// sines and powers with x87 instructions.
#define OF_ONE(type, name)                                       \
  extern type (*imported_##name)(type) __asm__("__imp_" #name);  \
  type name(type x) { return imported_##name(x); }
#define OF_TWO(type, name)                                             \
  extern type (*imported_##name)(type, type) __asm__("__imp_" #name);  \
  type name(type x, type y) { return imported_##name(x, y); }
#define OF_BOTH_TYPES(kind, name) kind(double, name) kind(float, name##f)
OF_BOTH_TYPES(OF_ONE, ceil)
OF_BOTH_TYPES(OF_ONE, cos)
OF_BOTH_TYPES(OF_ONE, exp)
OF_BOTH_TYPES(OF_ONE, floor)
OF_BOTH_TYPES(OF_ONE, log)
OF_BOTH_TYPES(OF_ONE, sin)
OF_BOTH_TYPES(OF_ONE, sqrt)
OF_BOTH_TYPES(OF_TWO, atan2)
OF_BOTH_TYPES(OF_TWO, fmod)
OF_BOTH_TYPES(OF_TWO, pow)
OF_ONE(float, acosf)
OF_ONE(float, asinf)
OF_ONE(float, atanf)
OF_ONE(float, coshf)
OF_ONE(float, log10f)
OF_ONE(float, sinhf)
OF_ONE(float, tanf)

// Windows has no aligned memory that `free` takes; its plain memory is a multiple of 16.
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = alignment <= 16 ? malloc(bytes) : NULL;
  return *memory == NULL;
}
#endif
