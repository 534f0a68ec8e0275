// allowed: violated refused
class Main { static void main(int x) { } public static void main(String[] args) { assert false; } }
