//! What a web page shows: the strings of its scripts, the text and the titles of its elements.

/// String literals of JavaScript, in any of its three quotes. In templates, what is computed is
/// left out.
pub(super) fn strings(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = &rest[rest.find("*/").map_or(rest.len(), |end| end + 2)..];
        } else if "\"'`".contains(c) {
            let (string, behind) = string(&rest[1..], c);
            found.push(string);
            rest = behind;
        } else {
            rest = &rest[c.len_utf8()..];
        }
    }
    found
}

/// A string up to its quote, and what follows.
fn string(text: &str, quote: char) -> (String, &str) {
    let mut string = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            c if c == quote => break,
            // A quote alone on its line is an apostrophe.
            '\n' if quote != '`' => break,
            '\\' => {
                let escaped = rest.chars().next().unwrap_or('\\');
                rest = &rest[escaped.len_utf8().min(rest.len())..];
                string.push(if escaped == 'n' { '\n' } else { escaped });
            }
            '$' if quote == '`' && rest.starts_with('{') => {
                rest = computed(rest);
                string.push_str("{}");
            }
            c => string.push(c),
        }
    }
    (string, rest)
}

/// What follows the braces that begin here.
fn computed(text: &str) -> &str {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return &text[at + 1..],
            '}' => depth -= 1,
            _ => {}
        }
    }
    ""
}

/// Text between tags, and the values of attributes.
pub(super) fn between_tags(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in text.split('<').skip(1) {
        let (tag, behind) = part.split_once('>').unwrap_or((part, ""));
        found.extend(tag.split('"').skip(1).step_by(2).map(str::to_string));
        found.push(behind.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_quotes_hold_strings() {
        let text = "// 'not this'\nf(\"a b\", 'it\\'s', `c ${d(`${e}`)} f`) /* \"nor this\" */";
        assert_eq!(strings(text), ["a b", "it's", "c {} f"]);
    }

    #[test]
    fn elements_have_texts_and_titles() {
        let text = "<p title=\"Go on\">Some\n  text</p>";
        assert_eq!(between_tags(text), ["Go on", "Some text", ""]);
    }
}
