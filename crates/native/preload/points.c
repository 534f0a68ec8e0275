/* Cancellation points that are no operations on objects of ours: calls on files, and waits that
 * are over at once. Where threads are cancelled, each of them asks whether it is the end.
 *
 * POSIX lists the functions that are cancellation points, and those that may be. The first are
 * points here; tests/cancellation.rs has them all. Of the second, streams act in the C library when
 * they write a buffer out: whether they do is left open (OP_TEST_CANCEL with 1). The rest of the
 * second (stat, opendir, …) are none, as in the C library.
 */
#include "accesses.h"
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

static int asks(uint64_t pc) {
  return weave_me && weave_shared->cancels && !weave_uncancelled && !weave_is_own(pc);
}
void weave_point(uint64_t pc) {
  if (asks(pc)) weave_ask(OP_TEST_CANCEL, 0, 0, 0, 0, pc);
}
void weave_optional_point(uint64_t pc) {
  if (asks(pc)) weave_ask(OP_TEST_CANCEL, 0, 1, 0, 0, pc);
}

/* Points that are nothing else to us; what they do besides comes through the backstop. */
TELLS(int, tcdrain, (int fd), (fd), weave_point(CALLER))
TELLS(int, sync_file_range, (int fd, off_t at, off_t length, unsigned flags), (fd, at, length, flags), weave_point(CALLER))
TELLS(int, fallocate, (int fd, int mode, off_t at, off_t length), (fd, mode, at, length), weave_point(CALLER))
TELLS(int, fallocate64, (int fd, int mode, off_t at, off_t length), (fd, mode, at, length), weave_point(CALLER))
