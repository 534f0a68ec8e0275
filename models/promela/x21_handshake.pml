/* Call establishment and clearing between a terminal (DTE) and the network (DCE) in the manner of X.21.
 * After C. H. West and P. Zafiropulo, "Automated validation of a communications protocol: the CCITT X.21 recommendation",
 * IBM Journal of Research and Development 22(1), 1978; own text, reduced to signals as messages.
 * Why: two state machines whose calls and clearings collide; an unspecified reception would show as a deadlock.
 * expect: holds
 * spin: 395 719
 */
mtype = { ready, request, proceed, digits, incoming, accepted, connected, clear, clear_confirm };
chan t = [3] of { mtype };      /* terminal to network */
chan r = [3] of { mtype };      /* network to terminal */

active proctype Terminal() {
  mtype s;
idle:
end:
  if
  :: t ! request -> goto calling
  :: r ? incoming -> t ! accepted; goto wait
  :: r ? clear -> t ! clear_confirm; goto idle
  fi;
calling:
  if
  :: r ? proceed -> t ! digits; goto wait
  :: r ? incoming -> goto calling              /* collision: the outgoing call wins */
  :: r ? clear -> t ! clear_confirm; goto idle
  fi;
wait:
  if
  :: r ? connected -> goto data
  :: r ? clear -> t ! clear_confirm; goto idle
  :: t ! clear -> goto clearing
  fi;
data:
  if
  :: t ! clear -> goto clearing
  :: r ? clear -> t ! clear_confirm; goto idle
  fi;
clearing:
  do
  :: r ? s ->
     if
     :: s == clear_confirm -> goto idle
     :: s == clear -> t ! clear_confirm        /* both clear at once: each confirms and waits */
     :: else
     fi
  od
}

active proctype Network() {
  mtype s;
idle:
end:
  if
  :: t ? request -> r ! proceed; goto dialling
  :: r ! incoming -> goto ringing
  :: t ? clear -> r ! clear_confirm; goto idle
  fi;
dialling:
  if
  :: t ? digits -> goto connect
  :: t ? clear -> r ! clear_confirm; goto idle
  :: r ! clear -> goto clearing
  fi;
ringing:
  if
  :: t ? accepted -> goto connect
  :: t ? request -> r ! proceed; goto dialling
  :: t ? clear -> r ! clear_confirm; goto idle
  :: r ! clear -> goto clearing
  fi;
connect:
  if
  :: r ! connected -> goto data
  :: r ! clear -> goto clearing
  :: t ? clear -> r ! clear_confirm; goto idle
  fi;
data:
  if
  :: t ? clear -> r ! clear_confirm; goto idle
  :: r ! clear -> goto clearing
  fi;
clearing:
  do
  :: t ? s ->
     if
     :: s == clear_confirm -> goto idle
     :: s == clear -> r ! clear_confirm
     :: else
     fi
  od
}
