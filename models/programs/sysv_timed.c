/* System V: semtimedop gives up with EAGAIN at any point.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  int set = semget(IPC_PRIVATE, 1, 0600);
  struct sembuf take = {0, -1, 0}, give = {0, 1, 0};
  struct timespec limit = {1, 0};
  if (fork() == 0) {
    int got = semtimedop(set, &take, 1, &limit);
    assert(got == 0 || errno == EAGAIN);
    _exit(0);
  }
  semop(set, &give, 1);
  return 0;
}
