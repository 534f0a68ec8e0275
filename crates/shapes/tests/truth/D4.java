// allowed: violated unknown
public class D4 { static class A { public String toString() { assert false; return ""; } } public static void main(String[] x) { String s = "a"; s += new A(); } }
