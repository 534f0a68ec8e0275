/* A variable declared in a block keeps its place: entering the block again executes the initialiser again.
 * expect: holds
 * spin: 18 18
 */
init {
  byte round;
  do
  :: round < 3 ->
     byte fresh = 7;
     assert(fresh == 7);
     fresh = round;
     round++
  :: else -> break
  od
}
