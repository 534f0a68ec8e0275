/* Progress labels: a run forever without passing one is a non-progress cycle. The polite process can be kept from progress.
 * Why: SPIN's check of livelocks (pan -DNP, -l); both processes move, only one of them progresses.
 * expect safety: holds
 * expect progress: violated
 * spin: 8 15
 */
byte turn;

active proctype Polite() {
  do
  :: turn == 0 ->
progress:
     turn = 1
  od
}

active proctype Rude() {
  bit x;
  do
  :: turn == 1 -> turn = 0
  :: x = 1 - x                     /* may go on like this forever */
  od
}
