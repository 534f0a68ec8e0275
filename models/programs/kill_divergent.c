/* A process computes without an end; it is killed, and waited for: that takes no time.
 * expect: violated
 * reason: divergence
 * run: run --divergence 200ms
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t child = fork();
  if (child == 0)
    for (volatile int i = 0;; i++) {}
  kill(child, SIGTERM);
  wait(0);
}
