/* Functions that POSIX does not require to be safe for threads (thread_unsafe.inc), chosen by
 * number: two threads make the call, in no order. Each is a race, or unknown. */
#define _GNU_SOURCE
#include <grp.h>
#include <dirent.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static int use, argc = 1;
static char *words[] = {"a", 0}, text[] = "a b c d", variable[] = "A=1";
static time_t now;
static struct tm tm;
static DIR *folder;
static FILE *file;
static volatile long kept;

static void set_up(void) {
  switch (use) {
#define USE(function, before, ...) \
  case __LINE__: (void)(before); break;
#include "thread_unsafe.inc"
#undef USE
  }
}
static void *calls(void *unused) {
  switch (use) {
#define USE(function, before, ...) \
  case __LINE__: kept = (long)(__VA_ARGS__); break;
#include "thread_unsafe.inc"
#undef USE
  }
  return unused;
}

int main(int count, char **arguments) {
  use = count > 1 ? atoi(arguments[1]) : 0;
  set_up();
  pthread_t one, two;
  pthread_create(&one, 0, calls, 0);
  pthread_create(&two, 0, calls, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
