// allowed: violated refused
class Main { static A a = new A(); public static void main(String[] args) { Object o = new A(); ((A) o).f = true; if (o instanceof A a) { assert !a.f; } } }
class A { boolean f; }
