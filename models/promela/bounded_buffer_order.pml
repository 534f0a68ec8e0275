/* The bounded buffer whose consumers take the mutex before they wait for an item: they sleep with the lock in hand.
 * After E. W. Dijkstra (EWD 123), 1965, who warns of exactly this order.
 * Why: a deadlock through the order of two P operations.
 * expect: violated
 * expect deadlock: violated
 * spin: 96 203
 */
#define SLOTS 2
#define P(s) atomic { s > 0 -> s-- }
#define V(s) s++
byte free = SLOTS;
byte filled;
byte mutex = 1;

active [2] proctype Producer() {
  do
  :: P(free);
     P(mutex);
     V(mutex);
     V(filled)
  od
}

active [2] proctype Consumer() {
  do
  :: P(mutex);
     P(filled);
     V(mutex);
     V(free)
  od
}
