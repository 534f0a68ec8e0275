// A cast to a class that the object is not of.
// Why: ClassCastException.
// expect error: violated
// run: check --property error
public class Cast {
    static class A { }
    static class B extends A { }
    public static void main(String[] args) { A a = new A(); B b = (B) a; }
}
