// An opcode that harms what is outside its piece, idone HOSTILE inumber, Starget: 1 where it could do the
// harm of that number.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <csound/csdl.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  OPDS h;
  MYFLT *done, *number;
  STRINGDAT *target;
} HOSTILE;

static int opens(const char *path, int flags) {
  int file = open(path, flags, 0600);
  if (file >= 0) close(file);
  return file >= 0;
}

static int connects(int domain, int kind, const struct sockaddr *address, socklen_t length) {
  int connection = socket(domain, kind, 0);
  if (connection < 0) return 0;
  int done = kind == SOCK_DGRAM ? sendto(connection, "x", 1, 0, address, length) == 1
                                : connect(connection, address, length) == 0;
  close(connection);
  return done;
}

static int reaches(int kind, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connects(AF_INET, kind, (struct sockaddr *)&address, sizeof address);
}

static int reaches_socket(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  return connects(AF_UNIX, SOCK_STREAM, (struct sockaddr *)&address, sizeof address);
}

static int ended(pid_t child) { return child > 0 && waitpid(child, NULL, 0) == child; }

static int forks(void) {
  pid_t child = fork();
  if (child == 0) _exit(0);
  return ended(child);
}

// With a system call that filters cannot look into.
static int clones(void) {
  struct { uint64_t flags, descriptor, child, parent, signal, rest[6]; } how = {.signal = SIGCHLD};
  pid_t child = syscall(435, &how, 64);
  if (child == 0) syscall(SYS_exit_group, 0);
  return ended(child);
}

static const char *secret;
static volatile int has_read;

static void read_secret(int number) {
  if (opens(secret, O_RDONLY)) has_read = 1;
}

// Has every thread of the process do it, those that were there before the piece included.
static int opens_elsewhere(const char *path) {
  secret = path;
  signal(SIGUSR2, read_secret);
  // This thread may have it blocked since before this program began.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGUSR2);
  sigprocmask(SIG_UNBLOCK, &signals, NULL);
  DIR *threads = opendir("/proc/self/task");
  if (threads == NULL) return 0;
  struct dirent *entry;
  while ((entry = readdir(threads)) != NULL) {
    if (atoi(entry->d_name) > 0) syscall(SYS_tgkill, getpid(), atoi(entry->d_name), SIGUSR2);
  }
  closedir(threads);
  usleep(100000);
  return has_read;
}

static int truncates(const char *path) {
  struct stat status;
  opens(path, O_RDONLY | O_TRUNC);
  return stat(path, &status) == 0 && status.st_size == 0;
}

static int fills_the_disk(void) {
  const char *directory = getenv("SFDIR");
  char path[4096];
  snprintf(path, sizeof path, "%s/large", directory != NULL ? directory : ".");
  int file = open(path, O_RDWR | O_CREAT, 0600);
  int done = file >= 0 && ftruncate(file, 3LL << 30) == 0;
  unlink(path);
  return done;
}

// Nobody hears it: what is written through the link is seen outside.
static void makes_a_link(const char *target) {
  char path[4096];
  snprintf(path, sizeof path, "%s/swapped.csd", getenv("SFDIR"));
  symlink(target, path);
}

static int32_t harm(CSOUND *csound, HOSTILE *p) {
  const char *target = p->target->data;
  char *words[] = {"/bin/sh", "-c", "echo HARM 1", NULL};
  int number = atoi(target), done = 0;
  switch ((int)*p->number) {
    case 0: done = opens(target, O_RDONLY); break; // no harm where it is the piece's own file
    case 1: done = opens(target, O_WRONLY | O_CREAT); break;
    case 2: done = opens_elsewhere(target); break;
    case 3: done = truncates(target); break;
    case 4: done = chmod(target, 0600) == 0; break;
    case 5: done = forks(); break;
    case 6: done = clones(); break;
    case 7: execv(words[0], words); break;
    case 8: done = reaches(SOCK_STREAM, number); break;
    case 9: done = reaches(SOCK_DGRAM, number); break;
    case 10: done = reaches_socket(target); break;
    case 11: done = kill(number, SIGCONT) == 0; break;
    case 12: done = ptrace(PTRACE_SEIZE, number, NULL, NULL) == 0; break;
    case 13: {
      int place[2];
      done = pipe(place) == 0 && fcntl(place[0], F_SETOWN, number) == 0;
      break;
    }
    case 14:
      done = mmap(NULL, 6LL << 30, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) != MAP_FAILED;
      break;
    case 15: done = fills_the_disk(); break;
    case 16: done = setpriority(PRIO_PROCESS, number, 1) == 0; break;
    case 17: makes_a_link(target); break;
  }
  *p->done = done;
  return OK;
}

static OENTRY localops[] = {
    {.opname = "HOSTILE", .dsblksiz = sizeof(HOSTILE), .thread = 1,
     .outypes = "i",
     .intypes = "iS", .iopadr = (SUBR)harm}};

LINKAGE
