/* Two threads take two locks in opposite order.
 * E. G. Coffman, M. Elphick, A. Shoshani, "System deadlocks", Computing Surveys 3(2), 1971: all four conditions are met.
 * Why: the deadlock that everyone has written once; the shortest trace has four steps.
 * expect: violated
 * expect deadlock: violated
 * spin: 25 33
 */
bool a, b;

#define lock(m)   atomic { !m -> m = true }
#define unlock(m) m = false

active proctype Left()  { lock(a); lock(b); unlock(b); unlock(a) }
active proctype Right() { lock(b); lock(a); unlock(a); unlock(b) }
