// allowed: violated refused
class AtomicInteger { int get() { return 1; } }
class Main {
//@ range n 0..2
static AtomicInteger n = new AtomicInteger(); public static void main(String[] a) throws Exception { assert n.get() == 0; } }
