/* A printf computes its arguments, and a fault there is one with and without simplifications.
 * expect: violated
 */
byte x;

active proctype P() {
  printf("%d\n", 1 / x)
}
