/* Division by zero, reached in one interleaving only. SPIN's verifier dies of a signal without a trace.
 * expect: violated
 * expect runtime: violated
 */
byte d = 1, r;

active proctype P() { d-- }
active proctype Q() { r = 10 / d }
