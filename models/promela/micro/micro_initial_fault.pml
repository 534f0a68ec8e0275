/* The initial value of a variable that is never read may still be a fault: it must not be sliced away with the variable.
 * SPIN's verifier leaves it to the machine what a division by zero does.
 * expect: violated
 * expect runtime: violated
 */
proctype Q(byte d) {
  byte r = 10 / d;
  skip
}

init { run Q(0) }
