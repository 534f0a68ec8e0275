/* A process dies while it holds a mutex in shared memory that is not robust: its parent waits forever.
 * expect: violated
 * reason: deadlock
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pthread_mutex_t *mutex = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t kind;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
  pthread_mutex_init(mutex, &kind);
  pid_t child = fork();
  if (child == 0) {
    pthread_mutex_lock(mutex);
    _exit(0);
  }
  int got = pthread_mutex_lock(mutex);
  assert(got == 0 || got == EOWNERDEAD);
  if (got == EOWNERDEAD) assert(pthread_mutex_consistent(mutex) == 0);
  pthread_mutex_unlock(mutex);
  waitpid(child, 0, 0);
  return 0;
}
