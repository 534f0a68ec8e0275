// allowed: holds unknown
public class RecvOrder { static class N { N me(N o) { return this; } } public static void main(String[] x) { N a = new N(), b = new N(); N c = a; N r = a.me(a = b); assert r == c; } }
