/* A process may rest forever at a label that begins with "end"; at any other place it is a deadlock.
 * expect: holds
 * spin: 8 9
 */
chan q = [0] of { bit };

active proctype Server() {
end_of_service:
  do
  :: q ? 0
  :: q ? 1 -> skip;
endless: q ? 0
  od
}

active proctype Client() {
  q ! 0;
  if
  :: q ! 1
  :: skip
  fi
}
