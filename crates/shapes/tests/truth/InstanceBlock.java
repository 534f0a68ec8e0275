// allowed: violated refused
class Main { boolean v; { v = true; } public static void main(String[] args) { assert !new Main().v; } }
