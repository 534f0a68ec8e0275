/* A never claim by hand: it is never the case that a request stays unanswered forever. Here it can.
 * Why: the claim language itself: an automaton with an acceptance label, written out.
 * expect safety: holds
 * expect unanswered: violated
 * spin: 17 34
 */
bool request, answer;

active proctype Client() {
  do
  :: request = true;
     answer -> answer = false;
     request = false
  od
}

active proctype Server() {
  do
  :: request && !answer -> answer = true
  :: skip; answer = answer          /* dawdles */
  od
}

never unanswered {
  do
  :: request && !answer -> goto accept_wait
  :: true
  od;
accept_wait:
  do
  :: !answer
  od
}
