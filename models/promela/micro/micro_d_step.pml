/* d_step is one indivisible step; inside it, the first executable option is always taken (no choice).
 * expect: holds
 * spin: 13 19
 */
byte x, y;

active [2] proctype P() {
  byte i;
  d_step {
    do
    :: i < 4 -> x++; i++
    :: else -> break
    od;
    if
    :: true -> y = y + 4
    :: true -> y = 100
    fi;
    i = 0
  };
  assert(x == y && x <= 8)
}
