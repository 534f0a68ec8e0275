/* The cigarette smokers: an agent lays out two of three ingredients; the smoker who has the third should smoke.
 * S. S. Patil, 1971; the deadlock and D. L. Parnas's answer, "On a solution to the cigarette smokers' problem", CACM 18(3), 1975.
 * Why: with naive semaphores a smoker grabs one ingredient that another needs: deadlock.
 * expect: violated
 * expect deadlock: violated
 * spin: 23 32
 */
#define P(s) atomic { s > 0 -> s-- }
#define V(s) s++
byte tobacco, paper, matches;
byte agent = 1;

active proctype Agent() {
  do
  :: P(agent);
     if
     :: V(tobacco); V(paper)
     :: V(paper); V(matches)
     :: V(tobacco); V(matches)
     fi
  od
}

active proctype Has_matches() { do :: P(tobacco); P(paper); V(agent) od }
active proctype Has_tobacco() { do :: P(paper); P(matches); V(agent) od }
active proctype Has_paper()   { do :: P(matches); P(tobacco); V(agent) od }
