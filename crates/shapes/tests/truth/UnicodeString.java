// allowed: violated unknown
class Main { public static void main(String[] args) { String s = "\\u0041"; assert s == null; } }
