/* The bounded buffer with three semaphores: free slots, filled slots, mutual exclusion.
 * E. W. Dijkstra, "Cooperating sequential processes" (EWD 123), 1965.
 * Why: semaphores in Promela; two producers, two consumers; items are neither lost nor taken twice (counted).
 * expect: holds
 * spin: 342 641
 */
#define SLOTS 2
#define P(s) atomic { s > 0 -> s-- }
#define V(s) s++
byte free = SLOTS;
byte filled;
byte mutex = 1;
byte slot[SLOTS];
byte in, out;

active [2] proctype Producer() {
  do
  :: P(free);
     P(mutex);
     assert(slot[in] == 0);
     slot[in] = 1;
     in = (in + 1) % SLOTS;
     V(mutex);
     V(filled)
  od
}

active [2] proctype Consumer() {
  do
  :: P(filled);
     P(mutex);
     assert(slot[out] == 1);
     slot[out] = 0;
     out = (out + 1) % SLOTS;
     V(mutex);
     V(free)
  od
}
