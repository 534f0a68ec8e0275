// allowed: violated unknown
public class Append { static class A { public String toString() { throw new RuntimeException(); } } public static void main(String[] x) { StringBuilder b = new StringBuilder(); b.append(new A()); } }
