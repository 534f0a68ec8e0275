/* SPIN's issue 69: many printf statements (1,200 after inlining) cost SPIN many seconds of verification time.
 * Here 30 x 40 of them, forty to a d_step; they must cost next to nothing.
 * expect: holds
 * spin: 27000 81001
 */
byte x;

inline talk() {
  d_step {
    printf("event 1 of client %d, value %d\n", _pid, x);
    printf("event 2 of client %d, value %d\n", _pid, x);
    printf("event 3 of client %d, value %d\n", _pid, x);
    printf("event 4 of client %d, value %d\n", _pid, x);
    printf("event 5 of client %d, value %d\n", _pid, x);
    printf("event 6 of client %d, value %d\n", _pid, x);
    printf("event 7 of client %d, value %d\n", _pid, x);
    printf("event 8 of client %d, value %d\n", _pid, x);
    printf("event 9 of client %d, value %d\n", _pid, x);
    printf("event 10 of client %d, value %d\n", _pid, x);
    printf("event 11 of client %d, value %d\n", _pid, x);
    printf("event 12 of client %d, value %d\n", _pid, x);
    printf("event 13 of client %d, value %d\n", _pid, x);
    printf("event 14 of client %d, value %d\n", _pid, x);
    printf("event 15 of client %d, value %d\n", _pid, x);
    printf("event 16 of client %d, value %d\n", _pid, x);
    printf("event 17 of client %d, value %d\n", _pid, x);
    printf("event 18 of client %d, value %d\n", _pid, x);
    printf("event 19 of client %d, value %d\n", _pid, x);
    printf("event 20 of client %d, value %d\n", _pid, x);
    printf("event 21 of client %d, value %d\n", _pid, x);
    printf("event 22 of client %d, value %d\n", _pid, x);
    printf("event 23 of client %d, value %d\n", _pid, x);
    printf("event 24 of client %d, value %d\n", _pid, x);
    printf("event 25 of client %d, value %d\n", _pid, x);
    printf("event 26 of client %d, value %d\n", _pid, x);
    printf("event 27 of client %d, value %d\n", _pid, x);
    printf("event 28 of client %d, value %d\n", _pid, x);
    printf("event 29 of client %d, value %d\n", _pid, x);
    printf("event 30 of client %d, value %d\n", _pid, x);
    printf("event 31 of client %d, value %d\n", _pid, x);
    printf("event 32 of client %d, value %d\n", _pid, x);
    printf("event 33 of client %d, value %d\n", _pid, x);
    printf("event 34 of client %d, value %d\n", _pid, x);
    printf("event 35 of client %d, value %d\n", _pid, x);
    printf("event 36 of client %d, value %d\n", _pid, x);
    printf("event 37 of client %d, value %d\n", _pid, x);
    printf("event 38 of client %d, value %d\n", _pid, x);
    printf("event 39 of client %d, value %d\n", _pid, x);
    printf("event 40 of client %d, value %d\n", _pid, x);
    x = (x + 1) % 5
  }
}

active [3] proctype Client() {
  do
  :: talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk();
     talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk();
     talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk(); talk()
  od
}
