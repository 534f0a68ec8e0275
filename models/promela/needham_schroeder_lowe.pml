/* Needham-Schroeder with Lowe's repair: the second message names its author, so that Alice notices the wrong one.
 * G. Lowe, "Breaking and fixing the Needham-Schroeder public-key protocol using FDR", TACAS 1996.
 * Why: the same intruder as in needham_schroeder.pml finds nothing in this bounded setting (one session, one stored message).
 * expect: holds
 * spin: 129 217
 */
mtype = { alice, bob, eve, none, na, nb, ne, m1, m2, m3 };
/* kind of message; whose public key it is encrypted with; two contents; author, in the second message only */
chan net = [0] of { mtype, mtype, mtype, mtype, mtype };
mtype alice_calls = none, bob_answers = none;

active proctype Alice() {
  mtype other, nonce;
  if
  :: other = bob
  :: other = eve
  fi;
  alice_calls = other;
  net ! m1, other, alice, na, none;
end:
  net ? m2, alice, na, nonce, eval(other);
  net ! m3, other, nonce, none, none
}

active proctype Bob() {
  mtype other, nonce;
end_idle:
  net ? m1, bob, other, nonce, _;
  net ! m2, other, nonce, nb, bob;
end_half:
  net ? m3, bob, nb, _, _;
  bob_answers = other;
  assert(bob_answers != alice || alice_calls == bob)
}

/* Eve offers every message that she can make; what she cannot yet make degrades to kind `none`, which no one receives. */
active proctype Eve() {
  bool knows_na, knows_nb;
  mtype kind = none, key = none, a = none, b = none, c = none;      /* one message kept as it is */
  mtype kind_, key_, a_, b_, c_;
end:
  do
  :: atomic {                                            /* intercept */
       net ? kind_, key_, a_, b_, c_ ->
       if
       :: key_ == eve ->                                 /* readable */
          knows_na = knows_na || a_ == na || b_ == na;
          knows_nb = knows_nb || a_ == nb || b_ == nb
       :: else -> kind = kind_; key = key_; a = a_; b = b_; c = c_
       fi;
       kind_ = 0; key_ = 0; a_ = 0; b_ = 0; c_ = 0
     }
  :: net ! kind, key, a, b, c                              /* replay */
  :: net ! m1, bob, alice, (knows_na -> na : ne), none
  :: net ! m1, bob, alice, (knows_nb -> nb : ne), none
  :: net ! m1, bob, eve, (knows_na -> na : ne), none
  :: net ! m1, bob, eve, (knows_nb -> nb : ne), none
  :: net ! (knows_na -> m2 : none), alice, na, (knows_nb -> nb : ne), eve
  :: net ! (knows_na -> m2 : none), alice, na, (knows_nb -> nb : ne), bob
  :: net ! (knows_nb -> m3 : none), bob, nb, none, none
  od
}
