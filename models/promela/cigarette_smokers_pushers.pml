/* The cigarette smokers with Parnas's pushers, who note what lies on the table and wake the one smoker who can use it.
 * D. L. Parnas, "On a solution to the cigarette smokers' problem", CACM 18(3), 1975.
 * Why: the cure of cigarette_smokers.pml, without conditional statements on semaphores.
 * expect: holds
 * spin: 178 302
 */
#define P(s) atomic { s > 0 -> s-- }
#define V(s) s++
byte ingredient[3];          /* 0 tobacco, 1 paper, 2 matches */
byte wake[3];                /* the smoker who owns that ingredient */
bool table[3];
byte mutex = 1;
byte agent = 1;

active proctype Agent() {
  do
  :: P(agent);
     if
     :: V(ingredient[0]); V(ingredient[1])
     :: V(ingredient[1]); V(ingredient[2])
     :: V(ingredient[0]); V(ingredient[2])
     fi
  od
}

proctype Pusher(byte mine, b, c) {
  do
  :: P(ingredient[mine]);
     P(mutex);
     if
     :: table[b] -> table[b] = false; V(wake[c])
     :: !table[b] && table[c] -> table[c] = false; V(wake[b])
     :: else -> table[mine] = true
     fi;
     V(mutex)
  od
}

proctype Smoker(byte own) {
  do
  :: P(wake[own]);
     assert(!table[0] && !table[1] && !table[2]);
     V(agent)
  od
}

init {
  byte i;
  atomic {
    for (i : 0 .. 2) {
      run Pusher(i, (i + 1) % 3, (i + 2) % 3);
      run Smoker(i)
    }
  }
}
