// `return` in `finally` discards the exception.
// Why: nothing is thrown any more.
// expect: holds
public class FinallyReturn {
    static boolean f() { try { throw new RuntimeException("x"); } finally { return true; } }
    public static void main(String[] args) { boolean b = f(); assert b; }
}
