/* A field that the record does not have.
 * expect: rejected
 */
typedef R { byte a }
R r;

init {
  r.b = 1
}
