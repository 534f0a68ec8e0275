/* A safety formula that only resting at the end of the run breaks: no process can move in the first state, and the next state is
 * the same one again. Found by random formulas on explicit graphs.
 * expect deadlock: violated
 * expect next_one: violated
 */
byte n;

active proctype P() {
  n == 1
}

ltl next_one { [] (n == 0 -> X (n == 1)) }
