// Plays pieces with a Csound 7 library that comes without the command `csound`.
//
//   player LIBRARY WORDS… [--then WORDS… | --beside WORDS…]…
//
// WORDS are the arguments of the command csound for one piece; --until=SECONDS among them ends the piece
// after that many seconds of sound, and --quiet=SECONDS after that many seconds of silence. The piece after --then is played by the same engine after a reset. The
// piece after --beside is played by another engine at the same time; the engines take turns, one k-cycle
// each. Exit code: 0, or 64 without enough arguments, 65 if Csound refuses a piece, 69 if the library cannot
// be used.
//
// The same program for Windows plays with Csound 7 for Windows, executed by Wine.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _WIN32
#include <windows.h>
#else
#include <dirent.h>
#include <dlfcn.h>
#include <unistd.h>
#endif

typedef struct engine engine;

static struct {
  int (*initialize)(int flags);
  engine *(*create)(void *data, const char *plugins);
  int (*compile)(engine *, int count, const char **words);
  int (*start)(engine *);
  int (*perform)(engine *);
  void (*event)(engine *, const char *text, int is_later);
  double (*kr)(engine *);
  const double *(*output)(engine *);
  unsigned int (*ksmps)(engine *);
  unsigned int (*channels)(engine *, int is_input);
  void (*reset)(engine *);
  void (*destroy)(engine *);
} csound;

static void *library;

#ifdef _WIN32
static void *open_library(const char *path) {
  void *opened = LoadLibraryA(path);
  if (opened == NULL) fprintf(stderr, "%s cannot be loaded: error %lu\n", path, GetLastError());
  return opened;
}

static void *symbol(const char *name) { return (void *)GetProcAddress(library, name); }

static void wait_a_millisecond(void) { Sleep(1); }
#else
static void *open_library(const char *path) {
  // RTLD_GLOBAL, so that Csound's plugins find the library's functions.
  void *opened = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (opened == NULL) fprintf(stderr, "%s\n", dlerror());
  return opened;
}

static void *symbol(const char *name) { return dlsym(library, name); }

static void wait_a_millisecond(void) { usleep(1000); }
#endif

static void find(const char *name, void *function) {
  void *found = symbol(name);
  if (found == NULL) {
    fprintf(stderr, "the library has no %s\n", name);
    exit(69);
  }
  memcpy(function, &found, sizeof found);
}

// The number of threads there should be once the threads of ended pieces have exited.
static int threads_left;

// The pieces that one engine plays one after another.
struct list {
  engine *engine;
  char **words, **end;  // the arguments of the pieces after the current one
  double cycles_left;
  // The silent k-cycles after which the piece ends, and how many there have been, one after another.
  double quiet, silent;
  int threads;  // number of threads that -j has created for the current piece
  int is_over;
};

static int thread_count(void) {
  int count = 0;
#ifndef _WIN32
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return 0;
  while (readdir(threads) != NULL) count++;
  closedir(threads);
#endif
  return count;
}

// Waits, at most a second, until the threads of -j have ended, which they do a moment after the piece.
// csoundReset does not wait for them, and a thread crashes when its barrier is gone.
static void await_threads(void) {
  for (int waits = 0; waits < 1000 && thread_count() > threads_left; waits++) wait_a_millisecond();
}

static int is_mark(const char *word) {
  return strcmp(word, "--then") == 0 || strcmp(word, "--beside") == 0;
}

static void begin(struct list *list) {
  const char *words[256] = {"csound"}, until[] = "--until=", quiet[] = "--quiet=";
  int count = 1;
  double seconds = 1e9, silence = 1e9;
  for (; list->words < list->end && !is_mark(*list->words) && count < 255; list->words++) {
    if (strncmp(*list->words, until, strlen(until)) == 0) seconds = atof(*list->words + strlen(until));
    else if (strncmp(*list->words, quiet, strlen(quiet)) == 0) silence = atof(*list->words + strlen(quiet));
    else words[count++] = *list->words;
  }
  int before = thread_count();
  int status = csound.compile(list->engine, count, words);
  // The arguments asked for something else than playing, such as a syntax check, which is done.
  if (status == 256) exit(0);
  if (status != 0 || csound.start(list->engine) != 0) exit(65);
  list->threads = thread_count() - before;
  threads_left = before + list->threads;
  list->cycles_left = seconds * csound.kr(list->engine);
  list->quiet = silence * csound.kr(list->engine);
  list->silent = 0;
}

// Whether the last k-cycle put out zeros only.
static int is_silent(engine *engine) {
  const double *output = csound.output(engine);
  for (unsigned int left = csound.ksmps(engine) * csound.channels(engine, 0); left > 0; left--)
    if (output[left - 1] != 0) return 0;
  return 1;
}

// Performs a k-cycle.
static void step(struct list *list) {
  int is_ended = csound.perform(list->engine) != 0;
  list->silent = !is_ended && is_silent(list->engine) ? list->silent + 1 : 0;
  if (!is_ended && --list->cycles_left > 0 && list->silent <= list->quiet) return;
  // The threads end only when the score ends.
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
  library = open_library(words[1]);
  if (library == NULL) return 69;
  find("csoundInitialize", &csound.initialize);
  find("csoundCreate", &csound.create);
  find("csoundCompile", &csound.compile);
  find("csoundStart", &csound.start);
  find("csoundPerformKsmps", &csound.perform);
  find("csoundEventString", &csound.event);
  find("csoundGetKr", &csound.kr);
  find("csoundGetSpout", &csound.output);
  find("csoundGetKsmps", &csound.ksmps);
  find("csoundGetChannels", &csound.channels);
  find("csoundReset", &csound.reset);
  find("csoundDestroy", &csound.destroy);
  // No signal handlers and no atexit function: a crash must end the process by its signal.
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
