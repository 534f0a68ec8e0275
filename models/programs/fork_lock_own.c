/* Who forks holds the lock, so that the child has it in a good state and may let go of it.
 * expect: holds
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
  pthread_mutex_lock(&lock);
  pid_t child = fork();
  pthread_mutex_unlock(&lock);
  if (child == 0) {
    pthread_mutex_lock(&lock);
    _exit(0);
  }
  wait(0);
  pthread_join(thread, 0);
  return 0;
}
