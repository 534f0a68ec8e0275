// allowed: holds unknown
public class NoRun { static class W extends Thread { } public static void main(String[] x) throws Exception { W w = new W(); w.start(); w.join(); } }
