//! The glossary of the book, for `weave explain`: entries `**Word.** What it means.`, each a
//! paragraph.

use super::words::Word;

const PAGE: &str = include_str!("../../../../../docs/book/glossary.md");

/// Each word with its paragraph.
fn entries() -> impl Iterator<Item = (&'static str, &'static str)> {
    let paragraphs = PAGE.split("\n\n");
    paragraphs.filter_map(|p| p.trim().strip_prefix("**")?.split_once(".**"))
}

/// All words that it has.
pub(super) fn words() -> impl Iterator<Item = &'static str> {
    entries().map(|(word, _)| word)
}

/// A word, in capitals or not, with `-` or blanks between its parts.
pub(super) fn find(asked: &str) -> Option<Word> {
    let same = |word: &str| word.replace([' ', '-'], "").eq_ignore_ascii_case(&asked.replace([' ', '-'], ""));
    let (word, text) = entries().find(|(word, _)| same(word))?;
    Some((word, "in the glossary of the book", text.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_read() {
        assert!(words().count() > 80, "{}", words().count());
        assert!(find("proviso").unwrap().2.starts_with("The rule of a reduced search"));
        assert_eq!(find("Lost-Update").unwrap().0, "Lost update");
        assert_eq!(find("nothing of the kind"), None);
    }
}
