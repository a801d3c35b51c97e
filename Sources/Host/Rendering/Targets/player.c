// Plays pieces with any Csound library, 6 or 7, by the functions that all of them export.
//
//   player LIBRARY WORDS… [--then WORDS… | --beside WORDS…]…
//   player LIBRARY --each=SECONDS WORDS… -- CSD…
//   player LIBRARY --about
//
// WORDS are the arguments of the command csound for one piece; --until=SECONDS among them ends the piece
// after that many seconds of sound, and --quiet=SECONDS after that many seconds of silence; --code=TEXT is orchestra code
// that is compiled before the first k-cycle. The piece after --then is played by the same engine after a reset. The
// piece after --beside is played by another engine at the same time; the engines take turns, one k-cycle
// each. Exit code: 0, or 64 without enough arguments, 65 if Csound refuses a piece, 69 if the library cannot
// be used.
//
// --each plays every CSD in a process of its own, which ends after SECONDS of processor time. The samples of its outputs,
// as 64-bit floats, are in CSD.samples afterwards, its messages in CSD.said. For each CSD a line on standard output says
// how its process ended: `CODE SIGNAL BYTES`, where BYTES is the heap memory that the first k-cycle took.
//
// --about prints the version as `6180 8`, with the bytes of a sample, and Csound's own lines about itself.
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
#include <fcntl.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

typedef struct engine engine;

static struct {
  int (*initialize)(int flags);
  engine *(*create)(void *data, const char *plugins);
  int (*compile)(engine *, int count, const char **words);
  int (*start)(engine *);
  // Csound 6 ignores the last argument.
  int (*compile_code)(engine *, const char *text, int is_later);
  int (*perform)(engine *);
  void (*event)(engine *, const char *text, int is_later);
  int (*version)(void);
  int (*sample_bytes)(void);
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

// Finds a function by its name in Csound 7, or by the one in Csound 6.
static void find_either(const char *name, const char *older, void *function) {
  void *found = symbol(name);
  if (found == NULL) found = symbol(older);
  if (found == NULL) {
    fprintf(stderr, "the library has no %s\n", name);
    exit(69);
  }
  memcpy(function, &found, sizeof found);
}

static void find(const char *name, void *function) { find_either(name, name, function); }

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
  const char *words[256] = {"csound"}, until[] = "--until=", quiet[] = "--quiet=", code[] = "--code=";
  const char *added = NULL;
  int count = 1;
  double seconds = 1e9, silence = 1e9;
  for (; list->words < list->end && !is_mark(*list->words) && count < 255; list->words++) {
    if (strncmp(*list->words, until, strlen(until)) == 0) seconds = atof(*list->words + strlen(until));
    else if (strncmp(*list->words, quiet, strlen(quiet)) == 0) silence = atof(*list->words + strlen(quiet));
    else if (strncmp(*list->words, code, strlen(code)) == 0) added = *list->words + strlen(code);
    else words[count++] = *list->words;
  }
  int before = thread_count();
  int status = csound.compile(list->engine, count, words);
  // The arguments asked for something else than playing, such as a syntax check, which is done.
  if (status == 256) exit(0);
  if (status != 0 || csound.start(list->engine) != 0) exit(65);
  if (added != NULL && csound.compile_code(list->engine, added, 0) != 0) exit(65);
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

#ifndef _WIN32
// Plays a CSD, writes its samples and ends this process.
static void play(const char *path, int count, const char **words, char *samples, double *bytes) {
  int channels = 0;
  FILE *output = fopen(samples, "wb");
  engine *engine = csound.create(NULL, NULL);
  if (output == NULL || engine == NULL) _exit(69);
  words[count++] = path;
  if (csound.compile(engine, count, words) != 0) _exit(65);
  // The function that compiles in Csound 6 does not start, that of some builds of Csound 7 does.
  if (csound.start(engine) != 0) _exit(65);
  channels = (int)csound.channels(engine, 0);
  const size_t values = csound.ksmps(engine) * channels;
  *bytes = -(double)mallinfo2().uordblks;
  for (int cycles = 0; csound.perform(engine) == 0; cycles++) {
    if (cycles == 0) *bytes += (double)mallinfo2().uordblks;
    const double *sound = csound.output(engine);
    if (fwrite(sound, sizeof *sound, values, output) != values) _exit(73);
  }
  if (fclose(output) != 0) _exit(73);
  // Csound writes the last messages when it ends the performance.
  csound.reset(engine);
  fflush(stdout);
  _exit(0);
}

// Plays each CSD in a process of its own.
static int play_each(int count, char **words) {
  const char *common[128] = {"csound"};
  int given = 1, at = 3;
  const rlim_t seconds = (rlim_t)atoi(words[2] + strlen("--each="));
  for (; at < count && given < 120 && strcmp(words[at], "--") != 0; at++) common[given++] = words[at];
  // Memory that each process writes and this one reads.
  double *bytes = mmap(NULL, sizeof *bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return 69;
  for (at++; at < count; at++) {
    char samples[4096], said[4096];
    snprintf(samples, sizeof samples, "%s.samples", words[at]);
    snprintf(said, sizeof said, "%s.said", words[at]);
    *bytes = 0;
    const pid_t child = fork();
    if (child < 0) return 69;
    if (child == 0) {
      const struct rlimit limit = {seconds, seconds + 1};
      setrlimit(RLIMIT_CPU, &limit);
      // An opcode may wait without using the processor.
      alarm(3 * (unsigned)seconds);
      const int messages = open(said, O_CREAT | O_TRUNC | O_WRONLY, 0600);
      if (messages < 0) _exit(73);
      dup2(messages, 1);
      dup2(messages, 2);
      play(words[at], given, common, samples, bytes);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf(
      "%d %d %.0f\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1,
      WIFSIGNALED(status) ? WTERMSIG(status) : 0, *bytes);
    fflush(stdout);
  }
  return 0;
}
#endif

int main(int count, char **words) {
  struct list lists[16];
  int engines = 0, left;
  if (count < 3) return 64;
  library = open_library(words[1]);
  if (library == NULL) return 69;
  find("csoundInitialize", &csound.initialize);
  find("csoundCreate", &csound.create);
  find_either("csoundCompileArgs", "csoundCompile", &csound.compile);
  find("csoundStart", &csound.start);
  find("csoundCompileOrc", &csound.compile_code);
  find("csoundPerformKsmps", &csound.perform);
  find_either("csoundEventString", "csoundInputMessage", &csound.event);
  find("csoundGetVersion", &csound.version);
  find("csoundGetSizeOfMYFLT", &csound.sample_bytes);
  find("csoundGetKr", &csound.kr);
  find("csoundGetSpout", &csound.output);
  find("csoundGetKsmps", &csound.ksmps);
  find_either("csoundGetChannels", "csoundGetNchnls", &csound.channels);
  find("csoundReset", &csound.reset);
  find("csoundDestroy", &csound.destroy);
  // No signal handlers and no atexit function: a crash must end the process by its signal.
  csound.initialize(3);
  if (strcmp(words[2], "--about") == 0) {
    const char *about[] = {"csound", "--version"};
    printf("%d %d\n", csound.version(), csound.sample_bytes());
    fflush(stdout);
    csound.compile(csound.create(NULL, NULL), 2, about);
    return 0;
  }
  if (csound.sample_bytes() != sizeof(double)) {
    fprintf(stderr, "%s computes with %d bytes a sample; a Csound with 8 is needed\n", words[1], csound.sample_bytes());
    return 69;
  }
#ifndef _WIN32
  if (strncmp(words[2], "--each=", 7) == 0) return play_each(count, words);
#endif
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
