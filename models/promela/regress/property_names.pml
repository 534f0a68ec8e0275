/* Formulas may be called like what every model is asked: each is asked for with its namesake, and both are judged.
 * expect: violated
 */
byte x;

active proctype A() {
  do
  :: x = 1 - x
  od;
progress:
  skip
}

ltl safety { [] (x == 0) }
ltl deadlock { [] (x < 5) }
ltl progress { [] (x < 5) }
