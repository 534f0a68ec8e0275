// allowed: holds unknown
public class CompareOrder { static class N { } public static void main(String[] x) { N a = new N(), b = new N(); boolean s = a == (a = b); assert !s; } }
