// allowed: violated refused
record R(boolean b) { }
class Main { public static void main(String[] args) { assert new R(false).b(); } }
