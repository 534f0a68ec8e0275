/* The main part of an unless begins with a jump out of the atomic sequence around it. The jump can be escaped from, or taken:
 * no process is blocked before it. (SPIN is, and reports an invalid end state.)
 * expect: holds
 */
byte x, c;

active proctype P() {
  atomic {
    x = 1;
    { goto out } unless { c == 1 -> x = 5 };
    x = 2
  }
  x = 3;
out:
  assert(x == 1 || x == 3)
}

active proctype Q() { c = 1; c = 0 }
