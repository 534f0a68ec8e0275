//! Colours and width: only a terminal gets colours, and only if NO_COLOR is not set.

use source::Look;
use std::io::IsTerminal;
use workbench::Verdict;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    pub(crate) look: Look,
    /// Columns that a line may take.
    pub(crate) width: usize,
    /// Nothing is abbreviated.
    pub(crate) full: bool,
}

/// What a text means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Good,
    Bad,
    Unknown,
    Strong,
    Faint,
}

impl From<Verdict> for Tone {
    fn from(verdict: Verdict) -> Tone {
        match verdict {
            Verdict::Holds => Tone::Good,
            Verdict::Violated => Tone::Bad,
            Verdict::Unknown => Tone::Unknown,
        }
    }
}

/// The width of output that is no terminal.
const PLAIN_WIDTH: usize = 100;

impl Style {
    /// The style for standard output.
    pub(crate) fn of_stdout(full: bool) -> Style {
        let coloured = std::io::stdout().is_terminal() && colours_wanted();
        let look = if coloured { Look::Coloured } else { Look::Plain };
        let size = if std::io::stdout().is_terminal() { terminal_size::terminal_size() } else { None };
        let width = size.map_or(PLAIN_WIDTH, |(width, _)| usize::from(width.0).max(40));
        Style { look, width, full }
    }

    /// The look of standard error.
    pub(crate) fn look_of_stderr() -> Look {
        let coloured = std::io::stderr().is_terminal() && colours_wanted();
        if coloured { Look::Coloured } else { Look::Plain }
    }

    pub(crate) fn paint(&self, tone: Tone, text: &str) -> String {
        if self.look == Look::Plain {
            return text.to_string();
        }
        let code = match tone {
            Tone::Good => "1;32",
            Tone::Bad => "1;31",
            Tone::Unknown => "1;33",
            Tone::Strong => "1",
            Tone::Faint => "2",
        };
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

fn colours_wanted() -> bool {
    let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    !refused && !dumb
}

/// A text cut to `width` characters, with `..` where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    let kept: String = text.chars().take(width.saturating_sub(2)).collect();
    let dots: String = "..".chars().take(width).collect();
    kept + &dots
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_text_never_exceeds_its_width() {
        assert_eq!([cut("abcdef", 6), cut("abcdef", 5), cut("abcdef", 1)], ["abcdef", "abc..", "."]);
    }

    #[test]
    fn plain_text_has_no_escapes() {
        let style = Style { look: Look::Plain, width: 80, full: false };
        assert_eq!(style.paint(Tone::Bad, "x"), "x");
        assert!(Style { look: Look::Coloured, ..style }.paint(Tone::Bad, "x").contains('\u{1b}'));
    }
}
