/* Prints what calls answer, and the errors they leave, to the end of the file named by the first
   argument. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAY(call)                                                                                                    \
  do {                                                                                                               \
    errno = 0;                                                                                                       \
    long answer_ = (long)(call);                                                                                     \
    int error_ = errno;                                                                                              \
    printf("%d %s: %ld%s%s\n", __LINE__, #call, answer_, error_ ? ", " : "", error_ ? strerrorname_np(error_) : ""); \
    fflush(stdout);                                                                                                  \
  } while (0)

static void begin(int count, char **words) {
  if (count != 2 || !freopen(words[1], "a", stdout)) exit(2);
  setvbuf(stdout, 0, _IOLBF, 0);
  puts("begin");
}
static void end(void) { puts("end"); }
