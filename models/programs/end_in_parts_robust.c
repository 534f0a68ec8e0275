/* A process gives back its robust locks before it can be waited for.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pthread_mutex_t *lock = mmap(0, sizeof *lock, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  pthread_mutexattr_t kind;
  int ends[2];
  char c;
  pthread_mutexattr_init(&kind);
  pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(lock, &kind);
  if (pipe(ends)) return 1;
  pid_t child = fork();
  if (!child) {
    pthread_mutex_lock(lock);
    _exit(write(ends[1], "x", 1) != 1);
  }
  assert(read(ends[0], &c, 1) == 1);
  assert(pthread_mutex_lock(lock) == EOWNERDEAD);
  assert(waitpid(child, 0, WNOHANG) == child);
  return 0;
}
