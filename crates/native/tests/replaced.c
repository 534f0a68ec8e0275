/* Calls that change memory, or a file that is mapped into memory, without a store
 * (replaced.inc), chosen by number: a thread makes the call, and main reads a byte of that
 * memory, in no order with it. Each is a race, or unknown. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <linux/falloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define PATH "/tmp/weave.replaced"
#define SIZE 8192
static char text[64] = "text", own[64];
static struct iovec part = {text, 4};
static int fd, other, segment, use;
static off_t at, there;
static volatile char *memory;
static volatile long kept;

static void maps(int protection, int flags) {
  memory = mmap(0, SIZE, protection, flags, flags & MAP_ANONYMOUS ? -1 : fd, 0);
}
static void opens(const char *path) {
  fd = open(path, O_CREAT | O_TRUNC | O_RDWR, 0600);
  ftruncate(fd, SIZE);
  other = open(PATH ".other", O_CREAT | O_TRUNC | O_RDWR, 0600);
  ftruncate(other, SIZE);
}
static void is_file(void) { opens(PATH), maps(PROT_READ | PROT_WRITE, MAP_SHARED); }
static void is_read(void) { opens(PATH), maps(PROT_READ, MAP_SHARED); }
static void is_private(void) { opens(PATH), maps(PROT_READ | PROT_WRITE, MAP_PRIVATE); }
static void is_named(void) {
  is_file();
  fd = shm_open("/weave.replaced", O_CREAT | O_RDWR, 0600);
  ftruncate(fd, SIZE);
  maps(PROT_READ | PROT_WRITE, MAP_SHARED);
}
static void is_memfd(void) {
  fd = memfd_create("weave", 0);
  ftruncate(fd, SIZE);
  maps(PROT_READ | PROT_WRITE, MAP_SHARED);
}
static void is_own(void) { maps(PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS); }
static void is_shared(void) { maps(PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS); }
static long opened(const char *path, int flags) { return write(open(path, flags), text, 4); }
static const char *link_of(int number) {
  static char path[64];
  snprintf(path, sizeof path, "/proc/self/fd/%d", number);
  return path;
}

static void set_up(void) {
  switch (use) {
#define USE(call, before, ...) \
  case __LINE__: before(); break;
#include "replaced.inc"
#undef USE
  }
}
static void *calls(void *unused) {
  switch (use) {
#define USE(call, before, ...) \
  case __LINE__: kept = (long)(__VA_ARGS__); break;
#include "replaced.inc"
#undef USE
  }
  return unused;
}

int main(int count, char **arguments) {
  use = count > 1 ? atoi(arguments[1]) : 0;
  set_up();
  pthread_t thread;
  pthread_create(&thread, 0, calls, 0);
  kept = memory[SIZE / 2 + 1];
  pthread_join(thread, 0);
  return 0;
}
