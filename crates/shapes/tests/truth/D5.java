// allowed: violated unknown
public class D5 { static long n = Long.parseLong("zz"); public static void main(String[] x) { } }
