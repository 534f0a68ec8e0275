// allowed: violated unknown
class Main { public static void main(String[] args) { assert args.length == 0; for (byte i = 0; i < 3; i++) { } assert false; } }
