/* y is 0 at the beginning, but the other conjunct has no value at all.
 * expect p: unknown */
byte x, y;
byte arr[2];
active proctype P() { x = 1; y = 1; x = 2 }
ltl p { [] (arr[2] == 0 && y == 1) }
