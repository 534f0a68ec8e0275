// allowed: violated refused
class Main { static int[] arr; static class N { static int g() { return arr.length; } } public static void main(String[] args) { int k = N.g(); } }
