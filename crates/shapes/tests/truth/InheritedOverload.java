// allowed: violated refused
class A { boolean m(Object o, A b) { return true; } }
class B extends A { boolean m(A o, Object b) { return false; } }
class Main { public static void main(String[] a) throws Exception { B y = new B(); Object o = y; assert !y.m(o, y); } }
