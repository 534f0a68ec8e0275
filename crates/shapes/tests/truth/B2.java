// allowed: holds unknown
public class B2 { static class S { static S one = new S(); boolean ok = true; static S get() { return one; } } static class T extends Thread { public void run() { S s = S.get(); assert s != null; assert s.ok; } } public static void main(String[] x) { new T().start(); new T().start(); } }
