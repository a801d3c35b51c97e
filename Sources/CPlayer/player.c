// Plays pieces with a Csound 7 that is a library and nothing else, as the command `csound` would.
//
//   player LIBRARY WORDS… [--then WORDS… | --beside WORDS…]…
//
// WORDS are those of the command csound. What follows --then is played by the same engine after a reset, what
// follows --beside by another engine at the same time, a k-cycle of each in turn. Ends with 0, with 65 where
// Csound refuses a piece, with 69 where the library cannot be used.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct engine engine;

static struct {
  int (*initialize)(int flags);
  engine *(*create)(void *data, const char *plugins);
  int (*compile)(engine *, int count, const char **words);
  int (*start)(engine *);
  int (*perform)(engine *);
  void (*reset)(engine *);
  void (*destroy)(engine *);
} csound;

static void *library;

static void find(const char *name, void *function) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    fprintf(stderr, "the library has no %s\n", name);
    exit(69);
  }
  memcpy(function, &found, sizeof found);
}

// The pieces one engine plays one after the other.
struct list {
  engine *engine;
  char **words, **end;  // of what is still to be played, the piece that is under way included
  int is_over;
};

static int is_mark(const char *word) {
  return strcmp(word, "--then") == 0 || strcmp(word, "--beside") == 0;
}

static void begin(struct list *list) {
  const char *words[256] = {"csound"};
  int count = 1;
  while (list->words < list->end && !is_mark(*list->words) && count < 255)
    words[count++] = *list->words++;
  if (csound.compile(list->engine, count, words) != 0 || csound.start(list->engine) != 0) exit(65);
}

// Performs a k-cycle.
static void step(struct list *list) {
  if (csound.perform(list->engine) == 0) return;
  csound.reset(list->engine);
  if (list->words == list->end) {
    list->is_over = 1;
  } else {
    list->words++;
    begin(list);
  }
}

int main(int count, char **words) {
  struct list lists[16];
  int engines = 0, left;
  if (count < 3) return 64;
  // Its plugins take its functions from here.
  library = dlopen(words[1], RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 69;
  }
  find("csoundInitialize", &csound.initialize);
  find("csoundCreate", &csound.create);
  find("csoundCompile", &csound.compile);
  find("csoundStart", &csound.start);
  find("csoundPerformKsmps", &csound.perform);
  find("csoundReset", &csound.reset);
  find("csoundDestroy", &csound.destroy);
  // No handlers for signals, and nothing at the end: a crash is to be one.
  csound.initialize(3);
  for (int at = 2; at < count && engines < 16; engines++) {
    struct list *list = &lists[engines];
    int end = at;
    while (end < count && strcmp(words[end], "--beside") != 0) end++;
    *list = (struct list){csound.create(NULL, NULL), words + at, words + end, 0};
    if (list->engine == NULL) return 69;
    begin(list);
    at = end + 1;
  }
  do {
    left = 0;
    for (int index = 0; index < engines; index++) {
      if (!lists[index].is_over) step(&lists[index]);
      left += !lists[index].is_over;
    }
  } while (left > 0);
  for (int index = 0; index < engines; index++) csound.destroy(lists[index].engine);
  return 0;
}
