/* unless: before each step of the main sequence the escape is tried; once it fires the main sequence is left for good.
 * expect: holds
 * spin: 29 45
 */
byte x;
bool alarm;

active proctype P() {
  {
    do
    :: assert(!alarm); x = (x + 1) % 3
    od
  } unless {
    alarm -> x = 9
  };
  assert(x == 9)
}

active proctype Q() {
  alarm = true
}
