/* Peterson's mutual exclusion with temporal properties.
 * G. L. Peterson, "Myths about the mutual exclusion problem", 1981; the properties after Z. Manna and A. Pnueli, 1992.
 * Why: safety and response of the simplest algorithm. No fairness is needed: the waiting
 *      room holds the other one back. A process may stay out forever.
 * expect safety: holds
 * expect exclusion: holds
 * expect entry: holds
 * expect always_in: violated
 * spin: 53 97
 */
bool wants[2];
byte turn;
bool in[2];

active [2] proctype P() {
  byte other = 1 - _pid;
end:
  do
  :: wants[_pid] = true;
     turn = other;
     (!wants[other] || turn == _pid);
     in[_pid] = true;
     d_step { in[_pid] = false; wants[_pid] = false }
  :: break                          /* loses interest */
  od
}

ltl exclusion { [] !(in[0] && in[1]) }
ltl entry     { [] (wants[0] -> <> in[0]) }
ltl always_in { [] <> in[0] }
