// allowed: holds unknown
public class WaitEnd { static class W extends Thread { public void run() { throw new RuntimeException(); } } public static void main(String[] x) throws Exception { } }
