/* A child sends through a pipe and ends; the parent reads to the end of the pipe, which is the end of the child.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  if (fork() == 0) {
    close(ends[0]);
    write(ends[1], "hello", 5);
    write(ends[1], " world", 6);
    _exit(0);
  }
  close(ends[1]);
  char text[32] = "";
  size_t length = 0;
  ssize_t n;
  while ((n = read(ends[0], text + length, sizeof text - length)) > 0) length += (size_t)n;
  assert(length == 11 && !strcmp(text, "hello world"));
  wait(0);
  return 0;
}
