// allowed: holds unknown
public class ArgsOrder { static class N { } static boolean same(N p, N q) { return p == q; } public static void main(String[] x) { N a = new N(), b = new N(); N c = a; boolean s = same(a, a = b); assert !s; assert a == b; } }
