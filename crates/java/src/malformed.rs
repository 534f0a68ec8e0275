//! What is said of a text that is not Java, or that is Java and not modelled: what is missing, and
//! what to write instead.

use source::{Diagnostic, FileId, Span};
use tree_sitter::Node;

/// A missing brace, with the one that it would close.
pub fn brace(text: &str, file: FileId) -> Option<Diagnostic> {
    let at = source::unclosed(text, &[('{', '}')])?;
    let end = text.trim_end().len();
    let last = text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
    let here = Span::new(file, last as u32, end as u32);
    let error = Diagnostic::error("E0801", here, "a `}` is missing").label("the file ends here");
    let opened = Span::new(file, at as u32, at as u32 + 1);
    Some(error.also(opened, "this `{` is probably not closed").help("write the missing `}`"))
}

/// A part of the text that is not Java, or something that is missing.
pub fn part(text: &str, file: FileId, node: Node<'_>) -> Diagnostic {
    let at = |from: usize, to: usize| Span::new(file, from as u32, to as u32);
    if !node.is_missing() {
        let (start, end) = (node.start_byte(), text[..node.end_byte()].trim_end().len());
        let last = text[..end].chars().next_back().unwrap_or(' ');
        let next = text[end..].chars().find(|c| *c != ' ' && *c != '\t').unwrap_or('\n');
        let whole = end > start && !";{}(,".contains(last) && "\n\r}".contains(next);
        if whole {
            let error = Diagnostic::error("E0801", at(start, end), "a `;` is probably missing");
            return error.label("cannot be read").help("write `;` behind it");
        }
        let error = Diagnostic::error("E0801", at(node.start_byte(), node.end_byte()), "this is not Java");
        return error.label("cannot be read").help("look for a missing `;`, `)` or quote just before it");
    }
    // The place of what is missing is behind the last character before it.
    let end = text[..node.start_byte()].trim_end().len();
    let last = text[..end].char_indices().next_back().map_or(0, |(at, _)| at);
    let what = match node.kind() {
        kind if kind.chars().all(|c| c.is_ascii_punctuation()) => format!("`{kind}`"),
        kind => format!(
            "a{} {}",
            if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "n" } else { "" },
            kind.replace('_', " ")
        ),
    };
    let error = Diagnostic::error("E0801", at(last, end), format!("{what} is missing"));
    error.label("behind this").help(format!("write {what} here"))
}

/// What to write in the place of a construct that is not modelled.
pub fn instead(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "switch_expression" | "switch_statement" => "write `if (…) … else if (…) … else …`",
        "enum_declaration" => {
            "write a boolean for two values; for more, an `int` with constants and `//@ range NAME 0..N`"
        }
        "record_declaration" => "write a class with fields and a constructor",
        "static_initializer" => "give each static field its value where it is declared",
        "block" => "give each field its value where it is declared, or in the constructor",
        "labeled_statement" => "leave the loops by a boolean",
        "lambda_expression" | "method_reference" => {
            "a lambda can be the body of a thread or task; elsewhere call the method itself"
        }
        "class_body" => "give the class a name",
        "array_creation_expression" | "array_initializer" => "write a field for each element",
        "template_expression" => "write the text with `+`",
        "yield_statement" => "assign to a variable",
        "annotation_type_declaration" => "leave it out",
        _ => return None,
    })
}
