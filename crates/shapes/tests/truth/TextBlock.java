// allowed: holds
class Main { public static void main(String[] args) { String s = """
 // x
 "; assert false; //
 """; } }
