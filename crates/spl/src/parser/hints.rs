//! What to write instead of what people write who come from other languages.

use source::Cursor;

/// The remedy for a token that is wrong in a usual way.
pub(super) fn hint(at: &Cursor, expected: &str) -> Option<&'static str> {
    match (at.peek().text(), expected) {
        ("=", "`:=`, `<=` or `=>`") => Some("an assignment is `x := e`; `=` compares"),
        ("&" | "&&" | "and", _) => Some("*and* is `/\\`"),
        ("|", _) => Some("*or* is `\\/`"),
        ("not", _) => Some("*not* is `~`"),
        ("W" | "WU", _) => Some("*waiting for* is `p Awaits q`: p remains true until q, if q ever comes"),
        ("U", _) => Some("*until* is `p Until q`"),
        ("S", _) => Some("*since* is `p Since q`"),
        ("->", _) => Some("*implies* is `-->`; *entails*, for every moment, is `==>`"),
        (",", "`]`") => {
            Some("an array of arrays is `array [1..N] of array [1..M] of int`, read by `a[i][j]`")
        }
        ("{", "a statement") => Some("blocks stand in brackets: `[ S1; S2 ]`"),
        (word, "a name") if is_word(word) => Some("it is a word of SPL: choose another name"),
        _ => None,
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// What to write in the place of a statement of another language.
pub(super) fn foreign(word: &str) -> Option<&'static str> {
    Some(match word {
        "for" => "count in a loop: `i := 1; while i <= n do [ …; i := i + 1 ]`",
        "repeat" => "write the body, and then a loop: `S; while ~c do S`",
        "goto" => "write loops with `while c do …` or `loop forever do …`, and choices with `if` and `or`",
        "return" | "break" | "exit" => "let the condition of the loop say when it ends",
        "begin" => "write blocks in brackets: `[ S1; S2 ]`",
        "do" => "a loop is `while c do S` or `loop forever do S`",
        "wait" => "waiting is `await c`",
        _ => return None,
    })
}
