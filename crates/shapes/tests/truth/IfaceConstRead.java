// allowed: violated refused
class Main implements I { public static void main(String[] a) { assert K; } }
interface I { boolean K = false; }
