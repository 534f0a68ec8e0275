/* Two writers of short messages: they arrive whole, in either order.
 * expect: holds
 * run: run
 */
#include <assert.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      const char *text = i ? "bbbb" : "aaaa";
      write(ends[1], text, 4);
      _exit(0);
    }
  close(ends[1]);
  char got[8];
  size_t length = 0;
  ssize_t n;
  while ((n = read(ends[0], got + length, sizeof got - length)) > 0) length += (size_t)n;
  assert(length == 8);
  assert(!memcmp(got, "aaaabbbb", 8) || !memcmp(got, "bbbbaaaa", 8));
  return 0;
}
