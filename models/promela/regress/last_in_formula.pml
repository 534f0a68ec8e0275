/* Q moves too. The model itself does not read _last.
 * expect p: violated */
byte a, b;
active proctype P() { a = 1 }
active proctype Q() { b = 1 }
ltl p { [] (_last == 0) }
