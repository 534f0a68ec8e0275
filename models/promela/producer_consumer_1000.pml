/* A producer fills a channel of a thousand slots, a consumer drains it once it is full, forever; items alternate.
 * Why: one long channel makes a wide state and few of them: what does a slot cost? The states grow linearly with CAPACITY.
 *      SPIN's pan aborts with its default state vector and needs to be compiled with -DVECTORSZ=2048.
 * expect: holds
 * spin: 3004 3005
 */
#ifndef CAPACITY
#define CAPACITY 1000
#endif
chan buffer = [CAPACITY] of { bit };
bool draining;

active proctype Producer() {
  bit item;
  do
  :: atomic { !draining && nfull(buffer) -> buffer ! item; item = 1 - item }
  :: atomic { !draining && full(buffer) -> draining = true }
  od
}

active proctype Consumer() {
  bit item, expected;
  do
  :: atomic {
       draining && nempty(buffer) ->
       buffer ? item;
       assert(item == expected);
       expected = 1 - expected
     }
  :: atomic { draining && empty(buffer) -> assert(len(buffer) == 0); draining = false }
  od
}
