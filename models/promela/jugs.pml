/* Two jugs of three and five litres, and exactly four litres wanted.
 * After S. D. Poisson's puzzle, about 1800.
 * Why: a deterministic data problem with nondeterministic choices; the answer is a counterexample.
 * run: check --search bfs
 * expect: violated
 * expect assertion: violated
 * spin: 25 106
 */
byte small, large;

init {
  byte poured;
  do
  :: small = 3
  :: large = 5
  :: small = 0
  :: large = 0
  :: atomic {                          /* small into large */
       poured = (small < 5 - large -> small : 5 - large);
       small = small - poured; large = large + poured; poured = 0
     }
  :: atomic {                          /* large into small */
       poured = (large < 3 - small -> large : 3 - small);
       large = large - poured; small = small + poured; poured = 0
     };
     assert(large != 4)
  od
}
