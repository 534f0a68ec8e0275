// allowed: violated unknown
class Main { public static void main(String[] args) { String s = """
 \""" ; assert false; """; assert s == null; } }
