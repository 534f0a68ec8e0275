// allowed: holds
class Main { public static void main(String[] a) { D d = new D(); assert d.f; } }
class G<T> { boolean f = true; } class D extends G<D> { }
