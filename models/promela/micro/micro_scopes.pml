/* Block scopes: a name lives until its block ends; a sibling block may use it again, for another variable of another type.
 * (A name that hides another of an enclosing scope is refused by SPIN, see micro_reject_redeclared.pml.)
 * expect: holds
 * spin: 31 49
 */
active proctype P() {
  byte x = 2;
  {
    byte y = 255;
    y++;
    assert(y == 0);
    {
      byte z = 3;
      x = x + z
    }
  };
  {
    short y = 255;
    y++;
    assert(y == 256)
  };
  assert(x == 5)
}

active proctype Q() {
  short x = -1;                /* P's x is another one */
  assert(x == -1)
}
