/* A process writes the memory of another one behind every library; what waits may go on: no deadlock is claimed.
 * expect: unknown
 * reason: uncontrolled: process_vm_writev
 * run: run
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int one = 1, other;

static void *work(void *unused) {
  struct iovec from = {&one, sizeof one}, to = {&other, sizeof other};
  process_vm_writev(getpid(), &from, 1, &to, 1, 0);
  pthread_mutex_lock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
