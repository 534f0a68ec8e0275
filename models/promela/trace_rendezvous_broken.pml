/* An event trace over a buffered channel and a handshake: values that matter are constants, `_` stands for any.
 * Why: the third event of the trace never comes: a handshake hands over another value.
 * expect: violated
 * expect trace: violated
 */
mtype = { a, b };
chan q = [2] of { mtype, byte };
chan r = [0] of { byte };

active proctype P() {
  q!a(1); q!b(2); r!3; q!a(1)
}

active proctype Q() {
  byte x;
  q?_,x; r?_; q?b,_; q?a,_
}

trace { q!a(1); q!b(_); r?4; q!a(_) }
