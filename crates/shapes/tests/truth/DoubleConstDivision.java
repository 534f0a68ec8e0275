// allowed: violated unknown
class Main {
//@ range n 0..5
static int n; static final double K = 7; public static void main(String[] a) { assert K / 2 == 3; } }
