/* provided: the process takes steps only while the condition holds; it is looked at before every step.
 * expect: holds
 * spin: 12 13
 */
bool tick;
byte n;

active proctype Tick() provided (!tick) {
  do
  :: n = (n + 1) % 4;
     assert(!tick);
     tick = true            /* from here on we stand still */
  od
}

active proctype Tock() provided (tick) {
  do
  :: assert(tick);
     n = (n + 1) % 4;
     tick = false
  od
}
