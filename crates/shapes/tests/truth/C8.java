// allowed: holds unknown
public class C8 { //@ range n 0..9
 static class N { int n; } public static void main(String[] x) { N a = new N(), b = new N(); N c = a; b.n = 5; a.n = (a = b).n + 1; assert c.n == 6; assert b.n == 5; } }
