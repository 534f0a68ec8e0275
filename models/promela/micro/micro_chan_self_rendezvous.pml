/* A process cannot shake hands with itself: a send and its own receive never meet.
 * expect: violated
 * expect deadlock: violated
 * spin: 1 1
 */
chan q = [0] of { byte };

active proctype P() {
  if
  :: q ! 1
  :: q ? 1
  fi
}
