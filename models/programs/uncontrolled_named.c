/* Named semaphores are not modelled: nothing can be said.
 * expect: unknown
 * reason: uncontrolled
 * run: run
 */
#include <fcntl.h>
#include <semaphore.h>
#include <unistd.h>

int main(void) {
  sem_t *token = sem_open("/weave-token", O_CREAT, 0600, 1);
  fork();
  sem_wait(token);
  return 0;
}
