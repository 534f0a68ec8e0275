/* trace: the operations on the channels that it names must follow it, from the first on. Here they do.
 * expect: holds
 * expect trace: holds
 * spin: 4 5
 */
mtype = { a, b };
chan q = [1] of { mtype };

active proctype P() {
  do
  :: q ! a; q ! b
  od
}

active proctype Q() {
  do
  :: q ? _
  od
}

trace {
  do
  :: q ! a; q ! b
  od
}
