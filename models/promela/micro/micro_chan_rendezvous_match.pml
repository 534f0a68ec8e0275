/* A rendezvous happens only if the receiver's constants match; with two partners either may be chosen.
 * expect: holds
 * spin: 6 8
 */
mtype = { tea, coffee };
chan q = [0] of { mtype };
byte teas, coffees;

active proctype Guest() {
  q ! tea;
  if
  :: q ! coffee
  :: q ! tea
  fi;
  assert(teas + coffees == 2 && teas >= 1)
}

active [2] proctype Tea_waiter() {
end:
  do
  :: atomic { q ? tea -> teas++ }
  od
}

active proctype Coffee_waiter() {
end:
  do
  :: atomic { q ? coffee -> coffees++ }
  od
}
