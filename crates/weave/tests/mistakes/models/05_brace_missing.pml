bool lock = false;
byte inside = 0;

active [2] proctype Worker() {
    do
    :: atomic { !lock -> lock = true;
       inside++;
       assert(inside == 1);
       inside--;
       lock = false
    od
}

ltl free { []<> !lock }
