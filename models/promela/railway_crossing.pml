/* A railway crossing on one track: sensors, a controller and a gate that takes its time; trains wait at a signal.
 * After N. Leveson and J. Stolzy, "Safety analysis using Petri nets", IEEE TSE 13(3), 1987.
 * Why: the gate is down whenever a train is on the crossing; and the gate always opens again: the controller lets at
 *      most one more train through.
 * expect safety: holds
 * expect guarded: holds
 * expect reopens: holds
 * spin: 35 45
 */
mtype = { approach, leave, lower, raise, down, up, go };
chan sensor = [1] of { mtype };
chan motor = [0] of { mtype };
chan report = [0] of { mtype };
chan signal = [0] of { mtype };
bool on_crossing;
mtype gate = up;

active proctype Train() {
  do
  :: sensor ! approach;
     signal ? go;
     on_crossing = true;
     assert(gate == down);
     on_crossing = false;
     sensor ! leave
  od
}

active proctype Controller() {
end:
  do
  :: sensor ? approach ->
     motor ! lower;
     report ? down;
     signal ! go;
     sensor ? leave;
     if
     :: motor ! raise -> report ? up
     :: nempty(sensor) -> sensor ? approach; signal ! go; sensor ? leave; motor ! raise; report ? up
     fi
  od
}

active proctype Gate() {
end:
  do
  :: motor ? lower -> gate = lower; gate = down; report ! down
  :: motor ? raise -> gate = raise; gate = up; report ! up
  od
}

ltl guarded { [] (on_crossing -> gate == down) }
ltl reopens { [] (gate == down -> <> (gate == up)) }
