// allowed: violated unknown
public class D6 { static class H { static int n = 1 / D6.z; } static int z; public static void main(String[] x) { int k = H.n; } }
