/* What a program tells us by weave.h besides tosses, assertions and declarations: shared
   variables, observers. */
#include "runtime.h"

/* A visible access to a variable, in code that is not instrumented. */
__thread const volatile void *weave_declared __attribute__((tls_model("initial-exec")));
EXPORT void weave_access_(const volatile void *at, unsigned long size, int write) {
  if (!weave_me || !weave_shared->several) return;
  weave_ask(write ? OP_STORE : OP_LOAD, (uint64_t)at, (int64_t)size, 0, 0, CALLER);
  weave_declared = at;
}

/* From now on this thread is not controlled: it only looks. To the scheduler it has ended. */
EXPORT void weave_observe_(void) {
  if (!weave_me) return;
  weave_text(OP_ASSUME, "observers change nothing that others see", 0, CALLER);
  weave_tell_last(OP_EXIT_THREAD, 0);
}
