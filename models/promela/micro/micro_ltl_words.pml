/* The operators of ltl blocks in words and in symbols; formulas over variables, with U and W and nesting.
 * expect safety: holds
 * expect words: holds
 * expect symbols: holds
 * expect waits: holds
 * expect too_much: violated
 * spin: 6 7
 */
byte x;

active proctype P() {
  x = 1;
  x = 2;
  do
  :: x == 2 -> x = 3
  :: x == 3 -> x = 2
  od
}

ltl words    { always ((x == 2) implies (eventually (x == 3))) }
ltl symbols  { (x == 0) U ((x == 1) && (<> [] (x >= 2))) }
ltl waits    { (x < 2) W (x == 2) }
ltl too_much { [] (x != 3) }
