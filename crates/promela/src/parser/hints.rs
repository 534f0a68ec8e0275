//! What to write instead of what people write who come from C.

use source::Cursor;

/// The remedy for a token that is wrong in a usual way.
pub(super) fn hint(at: &Cursor, expected: &str) -> Option<&'static str> {
    match (at.peek().text(), expected) {
        ("=", "`;` or `->` between statements") if at.last_is(":") => {
            Some("Promela assigns with `=`, not `:=`")
        }
        ("=", _) => Some("`=` assigns a value; to compare, write `==`"),
        ("(", "`::`") => Some(OPTIONS),
        ("int" | "byte" | "short" | "bit" | "bool" | "unsigned", "a variable") => Some(LOOP),
        ("<" | "<=" | ";", "`:`" | "`..`") => Some(LOOP),
        (_, "`{`") if at.last_is("of") => {
            Some("the types of a message stand in braces: `chan c = [2] of { byte }`")
        }
        ("else", _) => Some("`else` is an option of `if` and `do`: `:: else -> …`"),
        (_, "`fi`") => Some("an `if` ends with `fi`, behind its last option"),
        (_, "`od`") => Some("a `do` ends with `od`, behind its last option"),
        ("and" | "AND", _) => Some("*and* is `&&`"),
        ("or" | "OR", _) => Some("*or* is `||`"),
        ("not" | "NOT", _) => Some("*not* is `!`"),
        _ => None,
    }
}

const OPTIONS: &str = "options begin with `::`: `if :: condition -> statements :: else -> statements fi`";

const LOOP: &str = "declare the variable before: `int i; for (i : 0 .. 4) { … }` counts from 0 to 4";

/// The remedy for a call of what is no inline: a word of another language.
pub(super) fn foreign(word: &str) -> Option<&'static str> {
    Some(match word {
        "while" => "a loop is `do :: condition -> statements :: else -> break od`",
        "switch" | "case" => "a choice is `if :: x == 1 -> … :: x == 2 -> … :: else -> … fi`",
        "wait" | "await" | "until" => "a condition alone waits until it is true: `x == 1;`",
        "print" | "puts" | "echo" => "printing is `printf(\"x = %d\\n\", x)`",
        "sleep" | "usleep" => "there is no time: leave it out, or let another process say when to go on",
        "lock" | "acquire" => "a lock is a variable: `atomic { !lock -> lock = true }`",
        "unlock" => "a lock is a variable: `lock = false`",
        "rand" | "random" => "a value chosen by the environment is `select (x : 0 .. 9)`",
        _ => return None,
    })
}
