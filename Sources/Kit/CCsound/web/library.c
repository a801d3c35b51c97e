// What a plugin for Csound in a browser needs of C's library, which is not there: Csound exports its own functions
// only.
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// ---- Loading. Csound's loader takes over a list of opcodes, or calls this pair of functions. The kit registers each
//      opcode with a call, so it has the pair.

extern int64_t csound_opcode_init(void *csound, void *list);

int csoundModuleCreate(void *csound) { return (void)csound, 0; }

int csoundModuleInit(void *csound) {
  void *none = NULL;
  csound_opcode_init(csound, &none);
  return 0;
}

// ---- Memory and strings

void *memcpy(void *restrict to, const void *restrict from, size_t count) {
  for (size_t index = 0; index < count; index++) ((char *)to)[index] = ((const char *)from)[index];
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  if ((uintptr_t)to < (uintptr_t)from) return memcpy(to, from, count);
  while (count-- > 0) ((char *)to)[count] = ((const char *)from)[count];
  return to;
}

void *memset(void *to, int byte, size_t count) {
  for (size_t index = 0; index < count; index++) ((char *)to)[index] = (char)byte;
  return to;
}

int memcmp(const void *a, const void *b, size_t count) {
  for (size_t index = 0; index < count; index++) {
    int difference = ((const unsigned char *)a)[index] - ((const unsigned char *)b)[index];
    if (difference != 0) return difference;
  }
  return 0;
}

size_t strnlen(const char *text, size_t capacity) {
  size_t length = 0;
  while (length < capacity && text[length] != '\0') length++;
  return length;
}

size_t strlen(const char *text) { return strnlen(text, SIZE_MAX); }

int strncmp(const char *a, const char *b, size_t count) {
  for (size_t index = 0; index < count; index++) {
    int difference = (unsigned char)a[index] - (unsigned char)b[index];
    if (difference != 0 || a[index] == '\0') return difference;
  }
  return 0;
}

int strcmp(const char *a, const char *b) { return strncmp(a, b, SIZE_MAX); }

void abort(void) { __builtin_trap(); }

// ---- snprintf, as far as OpcodeKit needs it: %s, %c, %d, %ld and %%, without flags.

struct writer {
  char *text;
  size_t capacity, length;
};

static void put(struct writer *writer, char letter) {
  if (writer->length + 1 < writer->capacity) writer->text[writer->length] = letter;
  writer->length++;
}

int vsnprintf(char *restrict text, size_t capacity, const char *restrict format, va_list values) {
  struct writer writer = {text, capacity, 0};
  for (; *format != '\0'; format++) {
    if (*format != '%') {
      put(&writer, *format);
      continue;
    }
    // A long has 32 bits, as an int.
    do format++;
    while (*format == 'l');
    if (*format == 's') {
      for (const char *word = va_arg(values, const char *); *word != '\0'; word++) put(&writer, *word);
    } else if (*format == 'c') {
      put(&writer, (char)va_arg(values, int));
    } else if (*format == 'd') {
      int number = va_arg(values, int);
      unsigned rest = number < 0 ? 0u - (unsigned)number : (unsigned)number;
      char digits[10];
      int count = 0;
      if (number < 0) put(&writer, '-');
      do digits[count++] = (char)('0' + rest % 10);
      while ((rest /= 10) > 0);
      while (count > 0) put(&writer, digits[--count]);
    } else if (*format == '%') {
      put(&writer, '%');
    } else {
      // Another kind of number would be read wrongly.
      abort();
    }
  }
  if (capacity > 0) text[writer.length < capacity ? writer.length : capacity - 1] = '\0';
  return (int)writer.length;
}

int snprintf(char *restrict text, size_t capacity, const char *restrict format, ...) {
  va_list values;
  va_start(values, format);
  int length = vsnprintf(text, capacity, format, values);
  va_end(values);
  return length;
}
