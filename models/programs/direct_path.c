/* The path of a system call that the program makes itself is written by another thread.
 * expect: violated
 * expect race: violated
 * run: run
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static char path[] = "./a";

static void *ask(void *p) {
  syscall(SYS_access, path, F_OK);
  return p;
}

int main(void) {
  pthread_t asker;
  pthread_create(&asker, 0, ask, 0);
  path[2] = 'b';
  pthread_join(asker, 0);
  return 0;
}
