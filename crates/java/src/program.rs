//! The classes of a Java file, from the concrete syntax tree.

use crate::constants::Constancy;
use crate::names::Words;
use crate::tree::{child, children};
use source::{Diagnostic, FileId, Span};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// What a variable or field can hold, as far as it is modelled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Reference(String),
    Boolean,
    /// `AtomicBoolean`: fields only, as all of these.
    Atomic,
    /// `AtomicReference`, and to what.
    AtomicReference(String),
    /// `AtomicInteger` or `AtomicLong` with a declared range.
    AtomicNumber(i64, i64),
    /// A number with a declared range.
    Number(i64, i64),
    /// Numbers and texts that are there: forgotten.
    Forgotten,
    /// Texts and arrays: forgotten, and perhaps null.
    Loose,
    /// `Integer` and the like: as these, and taken as a number it must not be null.
    Boxed,
    Void,
}

impl Type {
    /// Nothing is known of the value.
    pub fn is_forgotten(&self) -> bool {
        matches!(self, Type::Forgotten | Type::Loose | Type::Boxed)
    }

    /// The objects of `java.util.concurrent.atomic`, for which the field itself stands.
    pub fn is_atomic(&self) -> bool {
        matches!(self, Type::Atomic | Type::AtomicReference(_) | Type::AtomicNumber(..))
    }
}

#[derive(Clone, Debug)]
pub struct Field<'t> {
    pub name: String,
    pub class: String,
    pub ty: Type,
    pub is_static: bool,
    pub is_final: bool,
    pub is_volatile: bool,
    pub is_private: bool,
    /// Its type, as it is written.
    pub written: String,
    pub value: Option<Node<'t>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Method<'t> {
    pub name: String,
    pub class: String,
    pub parameters: Vec<(String, Type)>,
    pub result: Type,
    pub is_static: bool,
    pub is_synchronized: bool,
    pub is_private: bool,
    /// The type of its only parameter, as it is written.
    pub first: String,
    pub body: Option<Node<'t>>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Class<'t> {
    pub name: String,
    pub parent: Option<String>,
    pub interfaces: Vec<String>,
    pub fields: Vec<Field<'t>>,
    pub methods: Vec<Method<'t>>,
    pub constructor: Option<Method<'t>>,
    pub is_abstract: bool,
}

/// Types of values that are forgotten: numbers and texts.
pub const FORGOTTEN: Words = Words(
    "Boolean Float Short Byte String Integer Long Double Character Random AtomicInteger \
     AtomicLong StringBuilder",
);

/// Those of them that stand for numbers.
pub const BOXES: [&str; 8] = ["Integer", "Long", "Double", "Character", "Boolean", "Float", "Short", "Byte"];

/// A file with its classes.
#[derive(Default)]
pub struct Program<'t> {
    pub text: &'t str,
    pub file: FileId,
    pub classes: BTreeMap<String, Class<'t>>,
    /// Interfaces, and those that they extend.
    pub interfaces: BTreeMap<String, Vec<String>>,
    /// The declared ranges of numbers, by the name of what has one.
    pub ranges: BTreeMap<String, (i64, i64)>,
    pub diagnostics: Vec<Diagnostic>,
    /// Classes whose static fields get their values by what can be noticed: on first use, then.
    pub lazy: std::collections::BTreeSet<String>,
    /// What is imported, and where each type is declared; those with type parameters.
    pub imported: std::collections::BTreeSet<String>,
    pub declarations: BTreeMap<String, Node<'t>>,
    pub generic: BTreeMap<String, Vec<String>>,
    /// Whether fields are constant variables, as far as that was asked.
    pub constants: std::cell::RefCell<BTreeMap<(String, String), Constancy>>,
}

impl<'t> Program<'t> {
    pub fn new(text: &'t str, file: FileId, root: Node<'t>) -> Program<'t> {
        let (ranges, diagnostics) = (crate::notes::ranges(text), crate::lexical::refused(text, file));
        let mut program = Program { text, file, ranges, diagnostics, ..Program::default() };
        program.errors(root);
        for node in children(root) {
            match node.kind() {
                "class_declaration" => program.class(node),
                "interface_declaration" => program.interface(node),
                "package_declaration" | "import_declaration" | "line_comment" | "block_comment" | ";" => {}
                _ => program.outside(node),
            }
        }
        if program.refuse_circles() {
            return program;
        }
        program.refuse_everywhere(root);
        program.refuse_overloads(root);
        program.refuse_fields();
        program.lazy = program.not_plain();
        for name in program.ranges.keys().cloned().collect::<Vec<_>>() {
            let last = name.rsplit('.').next().unwrap_or_default();
            if !program.declares(root, last) {
                let span = Span::new(file, 0, 0);
                let message = format!("no number has the name `{name}` that a range is declared for");
                program.diagnostics.push(Diagnostic::error("E0806", span, message));
            }
        }
        program
    }

    pub fn span(&self, node: Node<'_>) -> Span {
        Span::new(self.file, node.start_byte() as u32, node.end_byte() as u32)
    }

    pub fn text(&self, node: Node<'_>) -> &'t str {
        &self.text[node.byte_range()]
    }

    pub fn line(&self, node: Node<'_>) -> usize {
        node.start_position().row + 1
    }

    /// The text of a named part.
    pub fn part(&self, node: Node<'t>, field: &str) -> &'t str {
        child(node, field).map_or("", |n| self.text(n))
    }

    /// What is not well-formed; if a brace is missing, that alone, as everything behind it is read
    /// wrongly.
    fn errors(&mut self, node: Node<'t>) {
        if !node.has_error() {
            return;
        }
        match crate::malformed::brace(self.text, self.file) {
            Some(missing) => self.diagnostics.push(missing),
            None => self.malformed(node),
        }
    }

    fn malformed(&mut self, node: Node<'t>) {
        if node.is_error() || node.is_missing() {
            self.diagnostics.push(crate::malformed::part(self.text, self.file, node));
        } else if node.has_error() {
            children(node).into_iter().for_each(|child| self.malformed(child));
        }
    }

    /// Says that something is not modelled, and what to write instead.
    pub fn outside(&mut self, node: Node<'_>) {
        let what = node.kind().replace('_', " ");
        let error = Diagnostic::error("E0802", self.span(node), format!("this {what} is not modelled"));
        let error = match crate::malformed::instead(node.kind()) {
            Some(help) => error.help(help),
            None => error,
        };
        self.diagnostics.push(error.help("`weave explain E0802` says what is"));
    }
}
