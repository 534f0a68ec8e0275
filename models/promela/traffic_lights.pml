/* Two traffic lights at a crossing, a controller that gives green by request and in turn.
 * Why: the first exercise of every course: never both green, every car gets through. No fairness is needed: with both
 *      roads waiting the cars can do nothing but wait.
 * expect safety: holds
 * expect never_both: holds
 * expect north_gets_through: holds
 * spin: 44 85
 */
mtype = { red, green };
mtype north = red, east = red;
bool north_waits, east_waits;

active proctype Cars() {
  do
  :: !north_waits -> north_waits = true
  :: !east_waits -> east_waits = true
  od
}

active proctype Controller() {
  do
  :: if
     :: north_waits -> north = green; north_waits = false; north = red
     :: !north_waits
     fi;
     if
     :: east_waits -> east = green; east_waits = false; east = red
     :: !east_waits
     fi
  od
}

ltl never_both         { [] (north == red || east == red) }
ltl north_gets_through { [] (north_waits -> <> (north == green)) }
