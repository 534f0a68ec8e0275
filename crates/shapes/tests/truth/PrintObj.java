// allowed: violated unknown
public class PrintObj { static class A { A o; public String toString() { return o.toString(); } } public static void main(String[] x) { System.out.println(new A()); } }
