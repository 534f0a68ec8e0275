/* Functions of the C library read and write what another thread writes and reads: a short memset, strcpy, sprintf,
 * and others. -D picks one.
 * expect: violated
 * reason: assertion
 * run: run --races list
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char shared[64], own[64];

#if defined WRITE_SPRINTF
#define WRITES sprintf(shared, "%d", 12)
#elif defined WRITE_MEMSET
#define WRITES memset(shared, 1, 16)
#elif defined WRITE_STRNCPY
#define WRITES strncpy(shared, "text", sizeof shared)
#else
#define WRITES strcpy(shared, "text")
#endif

#if defined READ_STRCMP
#define UNCHANGED (strcmp(shared, own) == 0)
#elif defined READ_MEMCMP
#define UNCHANGED (memcmp(shared, own, 16) == 0)
#elif defined READ_STRDUP
#define UNCHANGED (strdup(shared)[0] == 0)
#else
#define UNCHANGED (shared[0] == 0)
#endif

static void *writer(void *unused) {
  WRITES;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  assert(UNCHANGED);
  pthread_join(t, 0);
  return 0;
}
