/* What printf shows is computed in every run, shown or not: a bad index there is a fault.
 * SPIN reports "invalid array index" too, and goes on.
 * expect: violated
 * expect runtime: violated
 */
byte a[2], i = 5;

init { printf("%d\n", a[i]) }
