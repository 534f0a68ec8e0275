/* A negative index is out of bounds too.
 * expect: violated
 * expect runtime: violated
 */
byte a[3];
short i;

active proctype P() { i-- }
active proctype Q() { i == -1 -> a[i] = 1 }
