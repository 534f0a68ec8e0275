//! `weave explain`: the long explanation of a code, or of a word that stands in answers. What is
//! not explained at length stands in the glossary of the book.

mod glossary;
mod words;

use crate::cli::ExplainArgs;
use crate::exit::Exit;
use crate::output::line;
use serde_json::{Value, json};
use words::{WORDS, Word};
use workbench::Failure;

pub(crate) fn run(args: &ExplainArgs) -> Result<Exit, Failure> {
    let shown: Vec<Word> = match &args.code {
        Some(asked) => vec![find(asked)?],
        None => WORDS.to_vec(),
    };
    match (args.json, &shown[..]) {
        (true, _) => line(&object(&shown).to_string()),
        (false, [(word, title, explanation)]) => line(&format!("{word}: {title}\n\n{}", explanation.trim())),
        (false, all) => {
            line("weave explain WORD, or a code such as E0301, which stands before a message. Words:\n");
            all.iter().for_each(|(word, title, _)| line(&format!("  {word:<16} {title}")));
        }
    }
    Ok(Exit::Good)
}

fn object(shown: &[Word]) -> Value {
    let one = |(word, title, text): &Word| json!({"word": word, "title": title, "text": text.trim()});
    json!({
        "event": "result", "schema": crate::json::VERSION, "command": "explain",
        "exit_code": Exit::Good.code(), "words": shown.iter().map(one).collect::<Vec<_>>(),
    })
}

/// A word or a code, in capitals or not.
fn find(asked: &str) -> Result<Word, Failure> {
    let word = WORDS.iter().find(|w| w.0.eq_ignore_ascii_case(asked)).copied();
    let tables = workbench::engine::codes();
    let code = tables.iter().find_map(|t| t.find(asked)).map(|c| (c.code, c.title, c.explanation));
    word.or(code).or_else(|| glossary::find(asked)).ok_or_else(|| unknown(asked))
}

/// A word that is near, and no list.
fn unknown(asked: &str) -> Failure {
    let tables = workbench::engine::codes();
    let is_code =
        asked.len() == 5 && asked.is_char_boundary(1) && asked[1..].bytes().all(|b| b.is_ascii_digit());
    let near = match is_code {
        true => source::nearest(&asked.to_ascii_uppercase(), tables.iter().flat_map(|t| t.0).map(|c| c.code)),
        false => {
            let words = WORDS.iter().map(|w| w.0).chain(glossary::words());
            source::nearest(&asked.to_ascii_lowercase(), words)
        }
    };
    let kind = if is_code { "code" } else { "word or code" };
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
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
        let of_java = ["error", "lost-wakeup", "lock-cycle"];
        let others = ["holds", "violated", "unknown", "E0301", "w0750", "DEADLOCK"];
        let below = ["lasso", "vacuous", "assumes", "certified", "unreached", "uncontrolled", "reproduce"];
        for word in kinds.into_iter().chain(of_programs).chain(of_java).chain(others).chain(below) {
            assert!(find(word).is_ok(), "{word}");
        }
        assert!(find("persistent set").unwrap().2.contains("enough to follow"));
    }

    #[test]
    fn a_word_that_is_not_there_is_answered_in_a_line() {
        let message = |asked: &str| find(asked).map(|_| String::new()).unwrap_or_else(|f| f.message());
        assert_eq!(message("dedlock"), "no word or code `dedlock`; did you mean `deadlock`?");
        assert!(message("E9999").len() < 200 && message("é").len() < 200 && message("W9").len() < 200);
        assert!(message("E03O1").len() < 200 && message("é1234").len() < 200);
    }
}
