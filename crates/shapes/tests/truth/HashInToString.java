// allowed: violated unknown
public class HashInToString { static class A { public int hashCode() { throw new RuntimeException(); } } public static void main(String[] x) { A a = new A(); String s = "" + a; } }
