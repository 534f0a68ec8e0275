// allowed: violated unknown
class Main { public static void main(String[] args) { args = null; int n = args.length; } }
