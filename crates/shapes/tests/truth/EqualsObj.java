// allowed: violated unknown
public class EqualsObj { static class A { public boolean equals(Object o) { throw new RuntimeException(); } } public static void main(String[] x) { Object a = new A(); boolean b = a.equals(null); } }
