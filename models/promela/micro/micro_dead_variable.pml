/* A local that is dead at the meeting point of two ways: resetting it merges states, which must not change the answer.
 * expect: holds
 * spin: 227 439
 */
byte x;

active [2] proctype P() {
  byte way;
  if
  :: way = 1
  :: way = 2
  :: way = 3
  fi;
  x = (way > 1 -> 1 : 0);
  x = 0;                          /* way is dead from here on */
  x = 1
}
