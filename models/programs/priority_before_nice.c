/* One child becomes nicer, another one looks at that.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t nicer = fork();
  if (nicer == 0) nice(3), pause();
  pid_t looks = fork();
  if (looks == 0) {
    assert(getpriority(PRIO_PROCESS, (id_t)nicer) == 0);
    _exit(0);
  }
  waitpid(looks, 0, 0);
  kill(nicer, SIGKILL);
  waitpid(nicer, 0, 0);
}
