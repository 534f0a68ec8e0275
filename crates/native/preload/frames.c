/* Variables on the stack that another thread is given: they end with their function, which is as if
 * it freed them.
 *
 * What a function has on the stack is mostly its own, and the compiler tells of no access to it. If
 * something in there was the argument of a new thread, then the whole frame is taken back when the
 * function is left. Where a frame begins is known by the frame pointer: a program that was compiled
 * without is left alone.
 */
#include "runtime.h"

enum { MOST = 64, FAR = 1 << 20 };
static struct loan {
  uint64_t at;
  const struct weave_slot *owner;
} loans[MOST];
static uint32_t lent;
static char unframed;

void weave_lend(const void *at, uint64_t pc) {
  uint64_t here = (uint64_t)__builtin_frame_address(0), place = (uint64_t)at;
  if (!weave_me || unframed || !weave_shared->instrumented || place < here || place - here > FAR) return;
  if (lent == MOST) weave_text(OP_UNCONTROLLED, "more variables on stacks that are given to threads than are looked at", 0, pc);
  else loans[lent++] = (struct loan){place, weave_me};
}

static __attribute__((noinline)) void leave(uint64_t bottom, uint64_t base, uint64_t pc) {
  int ends = 0;
  if (base < bottom || base - bottom > FAR) return;
  for (uint32_t i = 0; i < lent;) {
    if (loans[i].owner != weave_me || loans[i].at < bottom || loans[i].at >= base) i++;
    else ends = 1, loans[i] = loans[--lent];
  }
  /* The process ends with main, and all its threads do. */
  if (ends && !weave_is_libc(((uint64_t *)base)[1])) weave_free_block((void *)bottom, base - bottom, pc);
}

void __tsan_func_entry(void *pc);
EXPORT void __tsan_func_entry(void *pc) {
  if (unframed) return;
  uint64_t here = (uint64_t)__builtin_frame_address(0), base = *(uint64_t *)here;
  if (base < here || base - here > FAR || ((uint64_t *)base)[1] != (uint64_t)pc) unframed = 1;
}
void __tsan_func_exit(void);
EXPORT void __tsan_func_exit(void) {
  if (!lent || unframed || !weave_me) return;
  uint64_t here = (uint64_t)__builtin_frame_address(0);
  leave(here + 16, *(uint64_t *)here, CALLER);
}
