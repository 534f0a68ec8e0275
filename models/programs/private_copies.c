/* After a fork each process has a mutex of its own: none is used by both.
 * expect: holds
 * run: run
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  pid_t child = fork();
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  if (!child) _exit(0);
  waitpid(child, 0, 0);
}
