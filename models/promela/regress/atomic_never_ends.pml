/* An atomic sequence that never ends: no formula sees its states, so a formula of safety is unknown, too.
 * Why: it was said to hold, and the judge of small searches refused that.
 * expect f: unknown
 * expect g: unknown
 */
byte x;
int c;
active proctype C() { do :: c < 2000 -> c++ :: else -> break od }
active proctype A() { atomic { x = 1; do :: true od } }
ltl f { [] (x != 1 && c < 3000) }
ltl g { <> (c == 2000) }
