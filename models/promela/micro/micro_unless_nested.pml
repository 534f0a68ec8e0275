/* Nested unless: the outer escape has priority over the inner one (SPIN's default; its option -J turns this round).
 * expect: holds
 * spin: 44 67
 */
byte level, out;
bit beat;

active proctype P() {
  {
    {
      do
      :: beat = 1 - beat
      od
    } unless {
      level >= 1 -> out = 1;
      do
      :: assert(level < 2); beat = 1 - beat
      od
    }
  } unless {
    level >= 2 -> out = 2
  };
  assert(out == 2)
}

active proctype Q() {
  level = 1;
  level = 2
}
