/* P[i]@label: whether process i, which must be a P, stands at that label.
 * expect: holds
 * spin: 3 8
 */
bool lock;

active [2] proctype P() {
  do
  :: atomic { !lock -> lock = true };
inside:
     lock = false
  od
}

active proctype Observer() {
  do
  :: assert(!(P[0]@inside && P[1]@inside))
  od
}
