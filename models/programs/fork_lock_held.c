/* A process forks while another of its threads may hold a lock. In the child no thread lets go of that.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  if (fork() == 0) {
    pthread_mutex_lock(&lock);
    _exit(0);
  }
  wait(0);
  pthread_join(thread, 0);
  return 0;
}
