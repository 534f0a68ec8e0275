// allowed: holds
class Main { public static void main(String[] a) { B b = new B(); A p = b; assert !p.f && b.f; } }
class A { boolean f; } class B extends A { boolean f = true; }
