/* In the child of a fork the thread is still asked to end, if it was.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void *forks(void *arg) {
  int status;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  pthread_cancel(pthread_self());
  pid_t child = fork();
  if (!child) {
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    pthread_testcancel();
    _exit(1);
  }
  waitpid(child, &status, 0);
  assert(status == 0);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, forks, 0);
  pthread_join(thread, 0);
}
