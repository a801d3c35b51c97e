// A plugin for a Csound on Linux that hands on what a plugin for macOS registers. The environment variable MACHO names
// the file of that plugin. The part for this processor is mapped, moved and bound to this system's C library; both
// systems call functions alike, but for variadic ones on arm64.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef __x86_64__
enum { processor = 0x01000007 };
#else
enum { processor = 0x0100000C };
#endif

static void stop(const char *reason, const char *name) {
  fprintf(stderr, "macho: %s%s\n", reason, name);
  _exit(70);
}

// ---- Functions that macOS has and Linux has not, or has in another shape

#ifdef __aarch64__
// On macOS all variadic arguments are on the stack, eight bytes each.
int print_from_stack(char *text, size_t capacity, const char *format, void *stack) {
  va_list values;
  memset(&values, 0, sizeof values);
  *(void **)&values = stack;  // the member __stack; no registers are left to be read
  return vsnprintf(text, capacity, format, values);
}
int print_text(char *text, size_t capacity, const char *format, ...);
__asm__(".globl print_text\nprint_text:\n  mov x3, sp\n  b print_from_stack\n");
#else
#define print_text snprintf
#endif

static void fill(void *start, const void *pattern, size_t bytes) {
  for (size_t done = 0; done < bytes; done++) ((char *)start)[done] = ((const char *)pattern)[done % 16];
}

typedef struct { double sine, cosine; } both;
static both sine_and_cosine(double x) { return (both){sin(x), cos(x)}; }

// Compilers for macOS make this of pow(10, x), those for Linux leave it. Volatile, so that this one is left, too.
static double power_of_ten(double x) {
  volatile double ten = 10;
  return pow(ten, x);
}

static void *function(const char *name) {
  static const struct { const char *name; void *function; } others[] = {
      {"_snprintf", (void *)print_text},      {"_memset_pattern16", (void *)fill},
      {"___sincos_stret", (void *)sine_and_cosine}, {"___bzero", (void *)bzero},
      {"___exp10", (void *)power_of_ten},     {"dyld_stub_binder", (void *)abort},
  };
  for (size_t index = 0; index < sizeof others / sizeof *others; index++)
    if (strcmp(name, others[index].name) == 0) return others[index].function;
  void *found = dlsym(RTLD_DEFAULT, name + 1);
  if (found == NULL) stop("this system has no function ", name);
  return found;
}

// ---- The file

static uint8_t *base;           // where it is in memory
static uint64_t segments[16];   // the distances of its segments from `base`

static uint32_t word(const uint8_t *at) { return *(const uint32_t *)at; }
static uint64_t address(const uint8_t *at) { return *(const uint64_t *)at; }

static uint64_t number(const uint8_t **at) {
  uint64_t value = 0;
  for (int shift = 0;; shift += 7) {
    uint8_t byte = *(*at)++;
    value |= (uint64_t)(byte & 127) << shift;
    if (byte < 128) return value;
  }
}

// Follows the program that says which pointers are moved (`name` unknown) or bound to which function.
static void follow(const uint8_t *at, uint32_t bytes, int binds) {
  const uint8_t *end = at + bytes;
  const char *name = NULL;
  uint8_t *place = base;
  while (at < end) {
    uint8_t code = *at & 0xF0, detail = *at & 0x0F;
    uint64_t count = 0, gap = 0;
    at++;
    if (!binds) {
      switch (code) {
        case 0x00: return;
        case 0x10: continue;
        case 0x20: place = base + segments[detail] + number(&at); continue;
        case 0x30: place += number(&at); continue;
        case 0x40: place += detail * 8; continue;
        case 0x50: count = detail; break;
        case 0x60: count = number(&at); break;
        case 0x70: count = 1, gap = number(&at); break;
        case 0x80: count = number(&at), gap = number(&at); break;
        default: stop("unknown way to move a pointer", "");
      }
      for (; count > 0; count--, place += 8 + gap) *(uint64_t *)place += (uint64_t)base;
    } else {
      switch (code) {
        case 0x00: case 0x10: case 0x30: case 0x50: continue;
        case 0x20: number(&at); continue;
        case 0x40: name = (const char *)at, at += strlen(name) + 1; continue;
        case 0x70: place = base + segments[detail] + number(&at); continue;
        case 0x80: place += number(&at); continue;
        case 0x90: count = 1; break;
        case 0xA0: count = 1, gap = number(&at); break;
        case 0xB0: count = 1, gap = detail * 8; break;
        case 0xC0: count = number(&at), gap = number(&at); break;
        default: stop("unknown way to bind a pointer", "");
      }
      for (; count > 0; count--, place += 8 + gap) *(void **)place = function(name);
    }
  }
}

// Before data are executed, the caches for both must agree; clang's own function for that is in a library that is not
// linked. The shortest line of a cache is 16 bytes.
static void make_executable(uint8_t *start, uint8_t *end) {
#ifdef __aarch64__
  for (uint8_t *at = start; at < end; at += 16) __asm__ volatile("dc cvau, %0" ::"r"(at) : "memory");
  __asm__ volatile("dsb ish" ::: "memory");
  for (uint8_t *at = start; at < end; at += 16) __asm__ volatile("ic ivau, %0" ::"r"(at) : "memory");
  __asm__ volatile("dsb ish\nisb" ::: "memory");
#else
  (void)start, (void)end;
#endif
}

static void *entries[3];
static const char *const names[3] = {"_csound_opcode_init", "_csound_fgen_init", "_csoundModuleInfo"};

static uint32_t big(const uint8_t *at) { return __builtin_bswap32(word(at)); }

__attribute__((constructor)) static void load(void) {
  const char *path = getenv("MACHO");
  struct stat status;
  int file = path == NULL ? -1 : open(path, O_RDONLY);
  if (file < 0 || fstat(file, &status) != 0) stop("MACHO names no file", "");
  uint8_t *all = mmap(NULL, status.st_size, PROT_READ, MAP_PRIVATE, file, 0), *part = NULL;
  if (big(all) != 0xCAFEBABE) part = all;
  for (uint32_t index = 0; part == NULL && index < big(all + 4); index++)
    if (big(all + 8 + 20 * index) == processor) part = all + big(all + 8 + 20 * index + 8);
  if (part == NULL || word(part) != 0xFEEDFACF || word(part + 4) != processor)
    stop("the file has no part for this processor", "");

  uint64_t end = 0;
  int count = 0;
  uint8_t *command = part + 32, *moves = NULL, *symbols = NULL;
  for (uint32_t index = 0; index < word(part + 16); index++, command += word(command + 4))
    if (word(command) == 0x19 && address(command + 24) + address(command + 32) > end)
      end = address(command + 24) + address(command + 32);
  base = mmap(NULL, end, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  command = part + 32;
  for (uint32_t index = 0; index < word(part + 16); index++, command += word(command + 4)) {
    if (word(command) == 0x80000022) moves = command;
    if (word(command) == 2) symbols = command;
    if (word(command) != 0x19) continue;
    segments[count++] = address(command + 24);
    memcpy(base + address(command + 24), part + address(command + 40), address(command + 48));
  }
  if (moves == NULL || symbols == NULL) stop("the file is linked in another way", "");
  follow(part + word(moves + 8), word(moves + 12), 0);
  follow(part + word(moves + 16), word(moves + 20), 1);
  follow(part + word(moves + 32), word(moves + 36), 1);
  make_executable(base, base + end);
  mprotect(base, end, PROT_READ | PROT_WRITE | PROT_EXEC);

  for (uint32_t index = 0; index < word(symbols + 12); index++) {
    uint8_t *symbol = part + word(symbols + 8) + 16 * index;
    for (int entry = 0; entry < 3; entry++)
      if (strcmp((char *)part + word(symbols + 16) + word(symbol), names[entry]) == 0 && symbol[4] != 1)
        entries[entry] = base + address(symbol + 8);
  }
  for (int entry = 0; entry < 3; entry++)
    if (entries[entry] == NULL) stop("the file lacks ", names[entry]);
}

// ---- What Csound calls

int64_t csound_opcode_init(void *csound, void *table) {
  return ((int64_t (*)(void *, void *))entries[0])(csound, table);
}
void *csound_fgen_init(void *csound) { return ((void *(*)(void *))entries[1])(csound); }
int csoundModuleInfo(void) { return ((int (*)(void))entries[2])(); }
