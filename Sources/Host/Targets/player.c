// Plays pieces with a Csound 7 that is a library and nothing else, as the command `csound` would.
//
//   player LIBRARY WORDS… [--then WORDS… | --beside WORDS…]…
//
// WORDS are those of the command csound; --until=SECONDS among them ends a piece after so much sound. What
// follows --then is played by the same engine after a reset, what follows --beside by another engine at the
// same time, a k-cycle of each in turn. Ends with 0, with 65 where Csound refuses a piece, with 69 where the
// library cannot be used.
#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct engine engine;

static struct {
  int (*initialize)(int flags);
  engine *(*create)(void *data, const char *plugins);
  int (*compile)(engine *, int count, const char **words);
  int (*start)(engine *);
  int (*perform)(engine *);
  void (*event)(engine *, const char *text, int is_later);
  double (*kr)(engine *);
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

// The threads there are but for those of pieces that have ended.
static int threads_left;

// The pieces one engine plays one after the other.
struct list {
  engine *engine;
  char **words, **end;  // of what is still to be played, the piece that is under way included
  double cycles_left;
  int threads;  // that -j has made for the piece
  int is_over;
};

static int thread_count(void) {
  int count = 0;
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return 0;
  while (readdir(threads) != NULL) count++;
  closedir(threads);
  return count;
}

// The threads of -j end a moment after the piece, and csoundReset does not wait for them: one that finds its
// barrier gone crashes. At most a second.
static void await_threads(void) {
  for (int waits = 0; waits < 1000 && thread_count() > threads_left; waits++) usleep(1000);
}

static int is_mark(const char *word) {
  return strcmp(word, "--then") == 0 || strcmp(word, "--beside") == 0;
}

static void begin(struct list *list) {
  const char *words[256] = {"csound"}, until[] = "--until=";
  int count = 1;
  double seconds = 1e9;
  for (; list->words < list->end && !is_mark(*list->words) && count < 255; list->words++) {
    if (strncmp(*list->words, until, strlen(until)) == 0) seconds = atof(*list->words + strlen(until));
    else words[count++] = *list->words;
  }
  int before = thread_count();
  int status = csound.compile(list->engine, count, words);
  // Csound has done all that it was asked for, such as a check of the syntax.
  if (status == 256) exit(0);
  if (status != 0 || csound.start(list->engine) != 0) exit(65);
  list->threads = thread_count() - before;
  threads_left = before + list->threads;
  list->cycles_left = seconds * csound.kr(list->engine);
}

// Performs a k-cycle.
static void step(struct list *list) {
  int is_ended = csound.perform(list->engine) != 0;
  if (!is_ended && --list->cycles_left > 0) return;
  // Only the end of a score ends the threads.
  if (!is_ended && list->threads > 0) {
    csound.event(list->engine, "e 0", 0);
    while (csound.perform(list->engine) == 0) {}
  }
  threads_left -= list->threads;
  await_threads();
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
  find("csoundEventString", &csound.event);
  find("csoundGetKr", &csound.kr);
  find("csoundReset", &csound.reset);
  find("csoundDestroy", &csound.destroy);
  // No handlers for signals, and nothing at the end: a crash is to be one.
  csound.initialize(3);
  for (int at = 2; at < count && engines < 16; engines++) {
    struct list *list = &lists[engines];
    int end = at;
    while (end < count && strcmp(words[end], "--beside") != 0) end++;
    *list = (struct list){csound.create(NULL, NULL), words + at, words + end, 0, 0, 0};
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
