/* A process crashes; then it is killed, and waited for.
 * expect: violated
 * reason: crash
 * run: run
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0) *(volatile int *)0 = 1;
  kill(child, SIGTERM);
  wait(0);
}
