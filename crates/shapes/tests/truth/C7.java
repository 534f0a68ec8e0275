// allowed: holds unknown
public class C7 { static class N { N next; } public static void main(String[] x) { N a = new N(); a.next = a = new N(); assert a.next == null; } }
