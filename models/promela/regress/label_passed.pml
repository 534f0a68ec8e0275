/* A loop that passes a label again and again, with nothing in it that anybody reads.
 * Why: that the process leaves the label must still be seen when statements are merged.
 * expect safety: holds
 * expect stays: violated
 * expect returns: holds
 */
byte unread;

active proctype A() {
again:
	true;
	unread = 1;
	goto again
}

ltl stays { [] (A@again) }
ltl returns { [] <> (A@again) }
