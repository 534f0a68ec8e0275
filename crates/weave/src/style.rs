//! Colours and width: unless `--color` says it, only a terminal gets colours, and only if NO_COLOR
//! is not set.

use source::Look;
use std::ffi::OsStr;
use std::io::IsTerminal;
use std::sync::OnceLock;
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

/// What `--color` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Auto,
    Always,
    Never,
}

/// By their words.
pub(crate) const COLOURS: [(&str, Colour); 3] =
    [("auto", Colour::Auto), ("always", Colour::Always), ("never", Colour::Never)];

static ASKED: OnceLock<Colour> = OnceLock::new();

/// From now on colours are as they were asked for.
pub(crate) fn ask(colour: Option<Colour>) {
    let _ = ASKED.set(colour.unwrap_or(Colour::Auto));
}

/// What the words of a command line ask for, for help and for words that cannot be read.
pub(crate) fn of_words<'a>(words: impl IntoIterator<Item = &'a OsStr>) -> clap::ColorChoice {
    let mut before = "";
    let words = words.into_iter().filter_map(OsStr::to_str).take_while(|word| *word != "--");
    let asked = words.filter_map(|word| {
        let value = word.strip_prefix("--color=").or((before == "--color").then_some(word));
        before = word;
        value
    });
    match asked.last() {
        Some("always") => clap::ColorChoice::Always,
        Some("never") => clap::ColorChoice::Never,
        _ => clap::ColorChoice::Auto,
    }
}

/// The width of output that is no terminal.
const PLAIN_WIDTH: usize = 100;

impl Style {
    /// The style for standard output.
    pub(crate) fn of_stdout(full: bool) -> Style {
        let coloured = is_coloured(std::io::stdout().is_terminal());
        let look = if coloured { Look::Coloured } else { Look::Plain };
        let size = if std::io::stdout().is_terminal() { terminal_size::terminal_size() } else { None };
        let width = size.map_or(PLAIN_WIDTH, |(width, _)| usize::from(width.0).max(40));
        Style { look, width, full }
    }

    /// The look of standard error.
    pub(crate) fn look_of_stderr() -> Look {
        let coloured = is_coloured(std::io::stderr().is_terminal());
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

fn is_coloured(terminal: bool) -> bool {
    match ASKED.get() {
        Some(Colour::Always) => true,
        Some(Colour::Never) => false,
        Some(Colour::Auto) | None => terminal && colours_wanted(),
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
    fn words_ask_for_colours() {
        let asked = |line: &str| of_words(line.split(' ').map(OsStr::new));
        assert_eq!(asked("weave check --color never a.pml"), clap::ColorChoice::Never);
        assert_eq!(asked("weave --color=always --help"), clap::ColorChoice::Always);
        assert_eq!(asked("weave run ./p -- --color never"), clap::ColorChoice::Auto);
    }

    #[test]
    fn plain_text_has_no_escapes() {
        let style = Style { look: Look::Plain, width: 80, full: false };
        assert_eq!(style.paint(Tone::Bad, "x"), "x");
        assert!(Style { look: Look::Coloured, ..style }.paint(Tone::Bad, "x").contains('\u{1b}'));
    }
}
