/* A fault in the initial value of a variable that nothing reads: no simplification may lose it.
 * expect: violated
 */
byte x;

proctype P() {
  byte unused = 1 / x;
  skip
}

init { run P() }
