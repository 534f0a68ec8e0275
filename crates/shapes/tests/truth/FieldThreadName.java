// allowed: violated refused
class Main { static H System = new H(); public static void main(String[] args) { System.out.println(""); } }
class H { P out = new P(); } class P { void println(String s) { assert false; } }
