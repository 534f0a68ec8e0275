/* A process may have joined the group of one that was killed and waited for.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t leader = fork();
  if (leader == 0) pause(), _exit(0);
  setpgid(leader, leader);
  pid_t member = fork();
  if (member == 0) setpgid(0, leader), pause(), _exit(0);
  kill(leader, SIGKILL);
  waitpid(leader, 0, 0);
  int joined = setpgid(member, leader);
  assert(joined == -1 && errno == EPERM);
  kill(member, SIGKILL);
  waitpid(member, 0, 0);
}
