/* The alternating bit protocol with loss as a choice of the sender's line: does everything get through?
 * Bartlett, Scantlebury, Wilkinson, CACM 12(5), 1969.
 * Why: progress under the assumption that loss does not happen forever, stated inside the formula.
 * expect safety: holds
 * expect delivered: violated
 * expect delivered_if_fair: holds
 * spin: 35 56
 */
chan forth = [1] of { bit };
chan back = [1] of { bit };
bool lost;                          /* the last transmission was lost */
byte delivered_items;               /* modulo 2 */

active proctype Sender() {
  bit b;
  do
  :: if
     :: forth ! b -> lost = false;
        back ? eval(b);
        b = 1 - b
     :: lost = true                 /* the line swallows it; try again */
     fi
  od
}

active proctype Receiver() {
  bit b;
  do
  :: forth ? b -> delivered_items = (delivered_items + 1) % 2; back ! b
  od
}

ltl delivered         { [] <> (delivered_items == 1) }
ltl delivered_if_fair { ([] <> (len(back) > 0)) -> ([] <> (delivered_items == 1)) }
