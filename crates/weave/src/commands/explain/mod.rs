//! `weave explain`: the long explanation of a code, or of a word that stands in answers.

mod words;

use crate::cli::ExplainArgs;
use crate::exit::Exit;
use crate::output::line;
use words::{WORDS, Word};
use workbench::Failure;

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let Some(asked) = &args.code else {
        line("weave explain WORD, or a code such as E0301, which stands before a message. Words:\n");
        WORDS.iter().for_each(|(word, title, _)| line(&format!("  {word:<13} {title}")));
        return Ok(Exit::Good);
    };
    let (word, title, explanation) = find(asked)?;
    line(&format!("{word}: {title}\n\n{}", explanation.trim()));
    Ok(Exit::Good)
}

/// A word or a code, in capitals or not.
fn find(asked: &str) -> Result<Word, Failure> {
    let word = WORDS.iter().find(|w| w.0.eq_ignore_ascii_case(asked)).copied();
    let tables = workbench::engine::codes();
    let code = tables.iter().find_map(|t| t.find(asked)).map(|c| (c.code, c.title, c.explanation));
    word.or(code).ok_or_else(|| unknown(asked))
}

fn unknown(asked: &str) -> Failure {
    let tables = workbench::engine::codes();
    let codes = tables.iter().flat_map(|t| t.0).map(|c| c.code);
    let asked_as = asked.to_ascii_lowercase();
    let near = source::nearest(&asked_as, WORDS.iter().map(|w| w.0));
    let is_code = asked.len() == 5 && asked[1..].bytes().all(|b| b.is_ascii_digit());
    let kind = if is_code { "code" } else { "word or code" };
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None if is_code => {
            let same = codes.filter(|c| c[..2].eq_ignore_ascii_case(&asked[..2])).collect::<Vec<_>>();
            match same.is_empty() {
                true => "`weave explain` lists words; codes stand before messages".to_string(),
                false => format!("codes of this kind: {}", same.join(", ")),
            }
        }
        None => "`weave explain` lists words; codes such as E0301 stand before messages".to_string(),
    };
    Failure::Request(format!("no {kind} `{asked}`; {help}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_and_verdict_is_explained() {
        let kinds = ["deadlock", "assertion", "runtime", "race", "ltl", "claim", "progress", "trace"];
        let of_programs = ["crash", "divergence", "livelock", "misuse", "exit"];
        let others = ["holds", "violated", "unknown", "E0301", "w0750", "DEADLOCK"];
        for word in kinds.into_iter().chain(of_programs).chain(others) {
            assert!(find(word).is_ok(), "{word}");
        }
    }

    #[test]
    fn a_word_that_is_not_there_is_answered_in_a_line() {
        let message = |asked: &str| find(asked).map(|_| String::new()).unwrap_or_else(|f| f.message());
        assert_eq!(message("dedlock"), "no word or code `dedlock`; did you mean `deadlock`?");
        assert!(message("E9999").len() < 200 && message("é").len() < 200 && message("W9").len() < 200);
        assert!(message("E0399").contains("E0301"));
    }
}
