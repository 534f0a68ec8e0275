/* SPIN's issue 38: two processes write once each; the claim that n stays 1 in the end fails if the other one writes last.
 * No fairness is needed to see it, none excludes it: both processes end. SPIN 6.5.2 with -f reports no error.
 * expect safety: holds
 * expect settles: violated
 * run: check --fairness weak
 * spin: 10 11
 */
byte n;

active proctype P() { n = 1 }
active proctype Q() { n = 2 }

ltl settles { <> [] (n == 1) }
