// allowed: violated unknown
public class ValueOf { static class A { public String toString() { throw new RuntimeException(); } } public static void main(String[] x) { String s = String.valueOf(new A()); } }
