/* Handlers of fork take the lock before it and let go of it on both sides.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take(void) { pthread_mutex_lock(&lock); }
static void leave(void) { pthread_mutex_unlock(&lock); }

static void *worker(void *unused) {
  take();
  leave();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_atfork(take, leave, leave);
  pthread_create(&thread, 0, worker, 0);
  if (fork() == 0) {
    take();
    _exit(0);
  }
  wait(0);
  pthread_join(thread, 0);
  return 0;
}
