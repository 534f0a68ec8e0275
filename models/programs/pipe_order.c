/* Two writers, and a reader that believes the first child writes first.
 * expect: violated
 * reason: assertion
 * run: run
 */
#include <assert.h>
#include <unistd.h>

int main(void) {
  int ends[2];
  char first;
  if (pipe(ends)) return 1;
  for (int i = 0; i < 2; i++)
    if (fork() == 0) _exit(write(ends[1], i ? "b" : "a", 1) != 1);
  read(ends[0], &first, 1);
  assert(first == 'a');
  return 0;
}
