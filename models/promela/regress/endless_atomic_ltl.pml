/* A run inside of an atomic loop is never observed again: what it says of a formula is not known.
 * expect p: unknown
 * expect safety: holds */
byte x;
active proctype P() { atomic { do :: x = 1 - x od } }
ltl p { <> (x == 3) }
