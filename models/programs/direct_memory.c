/* A system call that the program makes itself writes what another thread reads.
 * expect: violated
 * expect race: violated
 * run: run
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static long now;

static void *ask(void *p) {
  syscall(SYS_time, &now);
  return p;
}

int main(void) {
  pthread_t asker;
  pthread_create(&asker, 0, ask, 0);
  long early = now;
  pthread_join(asker, 0);
  return early > now;
}
