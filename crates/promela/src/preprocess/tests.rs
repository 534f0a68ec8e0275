//! What models rely on from the C preprocessor.

use super::*;

struct Folder(&'static [(&'static str, &'static str)]);

impl Files for Folder {
    fn read(&self, path: &str) -> Result<String, Unreadable> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, content)| content.to_string()).ok_or_else(|| Unreadable("no such file".to_string()))
    }
}

fn run(text: &str, files: &dyn Files, defines: &[Define]) -> (String, Vec<&'static str>) {
    let mut map = SourceMap::new();
    let root = map.add("dir/main.pml", text);
    let (tokens, diagnostics, _) = preprocess(&mut map, &[root], files, defines);
    let words: Vec<_> = tokens.iter().filter(|token| !token.is_end()).map(Token::spelling).collect();
    (words.join(" "), diagnostics.iter().map(|diagnostic| diagnostic.code).collect())
}

#[track_caller]
fn gives(text: &str, expected: &str) {
    assert_eq!(run(text, &NoFiles, &[]), (expected.to_string(), vec![]));
}

#[track_caller]
fn reports(text: &str, codes: &[&str]) {
    assert_eq!(run(text, &NoFiles, &[]).1, codes);
}

#[test]
fn objects_and_functions() {
    gives("#define N 3\nx = N;", "x = 3 ;");
    gives(
        "#define MAX(a,b) ((a > b) -> a : b)\nx = MAX(y, f(1,2))",
        "x = ( ( y > f ( 1 , 2 ) ) -> y : f ( 1 , 2 ) )",
    );
    gives("#define F (1)\nF", "( 1 )");
    gives("#define F() 7\nF() F", "7 F");
    gives("#define LONG a \\\n b\nLONG c", "a b c");
    gives("#define F(x) x\nF(\n1\n) 2", "1 2");
    gives("#define N 3\n#undef N\nN", "N");
    gives("#define F(x, ...) x(__VA_ARGS__)\nF(a, b, c)", "a ( b , c )");
}

#[test]
fn nested_and_self_referring() {
    gives("#define A B\n#define B A x\nA B", "A x B x");
    gives("#define f(x) x + f(x)\nf(f(1))", "1 + f ( 1 ) + f ( 1 + f ( 1 ) )");
    gives("#define g f\n#define f(x) <x>\ng(2)", "< 2 >");
    gives("#define ID(x) x\nID(ID)(3)", "ID ( 3 )");
}

#[test]
fn strings_and_pastes() {
    gives("#define S(x) #x\nS(a + \"b\")", r#""a + \"b\"""#);
    gives("#define P(a, b) a ## b\nP(x, 1) P(, y)", "x1 y");
    gives("#define P(a, b) z a ## b\nP(, y) P(x,)", "z y z x");
    gives("#define N 3\n#define P(a) q ## a\nP(N)", "qN");
    reports("#define P(a, b) a ## b\nP(x, +)", &["E0120"]);
}

#[test]
fn conditions() {
    gives("#if 0\na don't \"\n#elif 1 + 1 == 2 && !defined(X)\nb\n#else\nc\n#endif", "b");
    gives("#define X\n#ifdef X\n#ifndef Y\na\n#else\nb\n#endif\n#endif", "a");
    gives("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#else\nd\n#endif", "c");
    gives("#define N 0x10\n#if N > 15UL ? 1 : 0\na\n#endif", "a");
    reports("#if\n#endif", &["E0115"]);
    reports("#if 1 / 0\n#endif", &["E0115"]);
    reports("#if 1", &["E0117"]);
    reports("#endif\n#else", &["E0116", "E0116"]);
    reports("#if 1\n#else\n#else\n#endif", &["E0116"]);
}

#[test]
fn command_line_definitions() {
    let defines = [Define::parse("N=4"), Define::parse("ON")];
    assert_eq!(run("N ON", &NoFiles, &defines), ("4 1".to_string(), vec![]));
}

#[test]
fn includes() {
    let files = Folder(&[
        ("dir/a.h", "#include \"sub/b.h\"\na"),
        ("dir/sub/b.h", "b"),
        ("dir/loop.h", "#include \"loop.h\""),
    ]);
    assert_eq!(run("#include \"a.h\"\nx", &files, &[]), ("b a x".to_string(), vec![]));
    assert_eq!(run("#include \"no.h\"\nx", &files, &[]), ("x".to_string(), vec!["E0113"]));
    assert_eq!(run("#include \"loop.h\"", &files, &[]).1, ["E0114"]);
    assert_eq!(run("#include x", &files, &[]).1, ["E0112"]);
}

#[test]
fn mistakes_are_reported() {
    reports("#frob", &["E0110"]);
    reports("#define", &["E0111"]);
    reports("#define F(1) x", &["E0111"]);
    reports("#define F(x) x\nF(1, 2) F(1", &["E0119", "E0119"]);
    reports("#define A 1\n#define A 2\n#define A 2", &["W0101"]);
    reports("#error no\n#warning hm\n#pragma x\n#line 3 \"f\"\n# 4 \"f\"", &["E0118", "W0102"]);
    reports("` \"abc\n'\n0x10\n/*", &["E0101", "E0103", "E0104", "E0105", "E0102"]);
}

#[test]
fn explosions_are_stopped() {
    let mut bomb = "#define A0 x x x x x x x x\n".to_string();
    for level in 1..12 {
        bomb += &format!("#define A{level} {}\n", format!("A{} ", level - 1).repeat(8));
    }
    reports(&(bomb + "A11"), &["E0121"]);
    let deep = format!("#define F(x) x\n{}1{}", "F(".repeat(200), ")".repeat(200));
    assert!(run(&deep, &NoFiles, &[]).1.contains(&"E0121"));
}

#[test]
fn tokens_point_to_the_use_and_know_the_definition() {
    let mut map = SourceMap::new();
    let root = map.add("m", "#define N 3\n\nx = N\n;");
    let (tokens, _, _) = preprocess(&mut map, &[root], &NoFiles, &[]);
    let three = &tokens[2];
    assert_eq!((map.snippet(three.span), map.snippet(three.origin.unwrap())), ("N", "3"));
    assert!(tokens[0].starts_line && !tokens[2].starts_line && tokens[3].starts_line);
}

#[test]
fn an_empty_macro_keeps_the_line_start() {
    let mut map = SourceMap::new();
    let root = map.add("m", "#define E\na\nE b");
    let (tokens, _, _) = preprocess(&mut map, &[root], &NoFiles, &[]);
    assert!(tokens[1].is("b") && tokens[1].starts_line);
}
