/* The public-key protocol of Needham and Schroeder with an intruder who owns the network.
 * R. Needham and M. Schroeder, CACM 21(12), 1978; the attack: G. Lowe, "An attack on the Needham-Schroeder public-key
 * authentication protocol", Information Processing Letters 56(3), 1995.
 * Why: an attack found by search: Bob believes he talks to Alice, who never called him. needham_schroeder_lowe.pml cures it.
 * expect: violated
 * expect assertion: violated
 * spin: 139 227
 */
mtype = { alice, bob, eve, none, na, nb, ne, m1, m2, m3 };
/* kind of message; whose public key it is encrypted with; two contents */
chan net = [0] of { mtype, mtype, mtype, mtype };
mtype alice_calls = none, bob_answers = none;

active proctype Alice() {
  mtype other, nonce;
  if
  :: other = bob
  :: other = eve
  fi;
  alice_calls = other;
  net ! m1, other, alice, na;
end:
  net ? m2, alice, na, nonce;
  net ! m3, other, nonce, none
}

active proctype Bob() {
  mtype other, nonce;
end_idle:
  net ? m1, bob, other, nonce;
  net ! m2, other, nonce, nb;
end_half:
  net ? m3, bob, nb, _;
  bob_answers = other;
  assert(bob_answers != alice || alice_calls == bob)
}

/* Eve offers every message that she can make; what she cannot yet make degrades to kind `none`, which no one receives. */
active proctype Eve() {
  bool knows_na, knows_nb;
  mtype kind = none, key = none, a = none, b = none;      /* one message kept as it is */
  mtype kind_, key_, a_, b_;
end:
  do
  :: atomic {                                            /* intercept */
       net ? kind_, key_, a_, b_ ->
       if
       :: key_ == eve ->                                 /* readable */
          knows_na = knows_na || a_ == na || b_ == na;
          knows_nb = knows_nb || a_ == nb || b_ == nb
       :: else -> kind = kind_; key = key_; a = a_; b = b_
       fi;
       kind_ = 0; key_ = 0; a_ = 0; b_ = 0
     }
  :: net ! kind, key, a, b                              /* replay */
  :: net ! m1, bob, alice, (knows_na -> na : ne)
  :: net ! m1, bob, alice, (knows_nb -> nb : ne)
  :: net ! m1, bob, eve, (knows_na -> na : ne)
  :: net ! m1, bob, eve, (knows_nb -> nb : ne)
  :: net ! (knows_na -> m2 : none), alice, na, (knows_nb -> nb : ne)
  :: net ! (knows_nb -> m3 : none), bob, nb, none
  od
}
