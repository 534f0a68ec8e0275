/* SPIN's issue 28: breadth-first search with rendezvous "does not preserve all invalid end states"; it misses this one.
 * Two telephones that call each other at the same moment: each waits for the other to pick up.
 * run: check --search bfs
 * expect: violated
 * expect deadlock: violated
 * spin: 5 7
 */
mtype = { ring, answer };
chan line[2] = [0] of { mtype };

active [2] proctype Phone() {
  do
  :: line[1 - _pid] ! ring;            /* call */
     line[_pid] ? answer
  :: line[_pid] ? ring;                /* be called */
     if
     :: line[1 - _pid] ! answer
     :: skip                           /* not at home: the caller waits forever */
     fi
  od
}
