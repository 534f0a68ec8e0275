/* Two processes append to a log; which line comes first is not known, even when both are over.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  const char *path = P_tmpdir "/weave.log";
  int fd = open(path, O_CREAT | O_RDWR | O_APPEND | O_TRUNC, 0600);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      write(fd, i ? "b" : "a", 1);
      _exit(0);
    }
  wait(0);
  wait(0);
  char text[4] = "";
  assert(pread(fd, text, 2, 0) == 2);
  assert(!strcmp(text, "ab"));
  return 0;
}
