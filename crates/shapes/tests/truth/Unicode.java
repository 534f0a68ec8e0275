// allowed: violated refused
class Main { public static void main(String[] a) {
// \u000a assert false;
} }
