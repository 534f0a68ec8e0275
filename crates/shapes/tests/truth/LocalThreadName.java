// allowed: violated refused
class Main { public static void main(String[] args) { H System = new H(); System.out.println(""); } }
class H { P out = new P(); } class P { void println(String s) { assert false; } }
