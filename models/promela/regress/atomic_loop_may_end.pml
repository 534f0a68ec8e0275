/* A choice in an atomic loop that may leave it at any time, and need not.
 * Why: the search for a bad prefix did not look for sequences that never end; the judge did.
 * expect f: unknown
 */
byte x;
active proctype A() { atomic { do :: x = 1 - x :: break od }; x = 3 }
ltl f { [] (x != 7) }
