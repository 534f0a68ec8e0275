// allowed: holds unknown
public class C9 { static class N { boolean f; } public static void main(String[] x) { N a = new N(), b = new N(); N c = a; b.f = true; a.f = (a = b).f; assert c.f; } }
