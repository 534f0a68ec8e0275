/* An elevator with buttons on each of FLOORS floors; it goes on in its direction while there is a call that way.
 * After the lift problem of the Fourth International Workshop on Software Specification and Design, 1987.
 * Why: a controller and its environment; the cabin never moves with its door open; a call on floor 0
 *      may stay unanswered, even under weak fairness: someone upstairs may press the button again and again.
 * expect safety: holds
 * expect closed: holds
 * expect answered: violated
 * spin: 2664 5786
 */
#ifndef FLOORS
#define FLOORS 3
#endif
bool call[FLOORS];
byte floor;
bool open, up = true, moving;

active proctype Environment() {
  byte f;
  do
  :: select (f : 0 .. FLOORS - 1); call[f] = true
  od
}

#define above ((floor < 1 && call[1]) || (floor < 2 && call[2]))
#define below ((floor > 0 && call[0]) || (floor > 1 && call[1]))

active proctype Cabin() {
  do
  :: call[floor] ->
     open = true;
     assert(!moving);
     call[floor] = false;
     open = false
  :: !call[floor] && above && (up || !below) ->
     up = true;
     moving = true;
     assert(!open);
     floor++;
     moving = false
  :: !call[floor] && below && (!up || !above) ->
     up = false;
     moving = true;
     assert(!open);
     floor--;
     moving = false
  od
}

ltl closed   { [] !(open && moving) }
ltl answered { [] (call[0] -> <> (floor == 0 && open)) }
