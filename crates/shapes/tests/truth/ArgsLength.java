// allowed: holds
class Main { public static void main(String[] args) { int n = args.length; } }
