/* SPIN's issue 63: for over an array of records crashes some builds of SPIN 6.5.2 (segmentation fault), later ones refuse it.
 * The loop runs over the indices.
 * expect: holds
 * spin: 20 20
 */
typedef Box { byte data }
Box box[5];

init {
  byte i;
  for (i in box) {
    box[i].data = i
  }
  assert(box[4].data == 4 && i == 5)
}
