/* A statement that blocks inside atomic gives up control: another process runs, and the block goes on later.
 * expect: holds
 * spin: 11 13
 */
byte x;
bool go;

active proctype P() {
  atomic {
    x = 1;
    go;                    /* blocks: control is lost here */
    assert(x == 2);
    x = 3
  }
  assert(x == 3)
}

active proctype Q() {
  x == 1;                  /* seen only because P lost control */
  x = 2;
  go = true
}
