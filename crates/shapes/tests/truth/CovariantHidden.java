// allowed: violated refused
class Main { public static void main(String[] a) { P p = new Q(); assert p.get().f; } }
class A { boolean f; } class B extends A { boolean f = true; }
abstract class P { abstract A get(); }
class Q extends P { B get() { return new B(); } }
