/* POSIX leaves open whether a thread that is cancelled ends when it prints.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused) {
  puts("a");
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_cancel(thread);
  pthread_join(thread, 0);
}
