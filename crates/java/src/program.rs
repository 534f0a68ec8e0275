//! The classes of a Java file, from the concrete syntax tree.

use crate::constants::Constancy;
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
pub const FORGOTTEN: [&str; 13] = [
    "Boolean",
    "Float",
    "Short",
    "Byte",
    "String",
    "Integer",
    "Long",
    "Double",
    "Character",
    "Random",
    "AtomicInteger",
    "AtomicLong",
    "StringBuilder",
];

/// Those of them that stand for numbers.
pub const BOXES: [&str; 8] = ["Integer", "Long", "Double", "Character", "Boolean", "Float", "Short", "Byte"];

/// A file with its classes.
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
        let (classes, interfaces) = (BTreeMap::new(), BTreeMap::new());
        let ranges = crate::notes::ranges(text);
        let mut program = Program {
            text,
            file,
            classes,
            interfaces,
            ranges,
            diagnostics: Vec::new(),
            lazy: Default::default(),
            imported: Default::default(),
            declarations: BTreeMap::new(),
            generic: BTreeMap::new(),
            constants: Default::default(),
        };
        program.diagnostics = crate::lexical::refused(text, file);
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

    /// Whether something with this name is declared somewhere in a text.
    fn declares(&self, node: Node<'t>, name: &str) -> bool {
        let kinds = ["variable_declarator", "formal_parameter", "method_declaration"];
        kinds.contains(&node.kind()) && self.part(node, "name") == name
            || parts(node).into_iter().any(|n| self.declares(n, name))
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
        node.child_by_field_name(field).map_or("", |n| self.text(n))
    }

    fn errors(&mut self, node: Node<'t>) {
        if node.is_error() || node.is_missing() {
            let message = if node.is_missing() { "something is missing here" } else { "this is not Java" };
            self.diagnostics.push(Diagnostic::error("E0801", self.span(node), message));
        } else if node.has_error() {
            children(node).into_iter().for_each(|child| self.errors(child));
        }
    }

    /// Tells that something is not modelled.
    pub fn outside(&mut self, node: Node<'_>) {
        let what = node.kind().replace('_', " ");
        let told = Diagnostic::error("E0802", self.span(node), format!("this {what} is not modelled"));
        self.diagnostics.push(told.help("`weave explain E0802` tells what is"));
    }

    fn class(&mut self, node: Node<'t>) {
        let name = self.part(node, "name").to_string();
        let parent = node.child_by_field_name("superclass").and_then(|s| self.names(s).pop());
        let interfaces = node.child_by_field_name("interfaces").map(|n| self.names(n)).unwrap_or_default();
        let mut class = Class {
            name: name.clone(),
            parent,
            interfaces,
            fields: vec![],
            methods: vec![],
            constructor: None,
            is_abstract: self.has(node, "abstract"),
        };
        let body = node.child_by_field_name("body").map(children).unwrap_or_default();
        for member in body {
            match member.kind() {
                "field_declaration" => class.fields.extend(self.field(&name, member)),
                "method_declaration" => class.methods.push(self.method(&name, member)),
                "constructor_declaration" if class.constructor.is_none() => {
                    class.constructor = Some(self.method(&name, member));
                }
                "class_declaration" => self.class(member),
                "interface_declaration" => self.interface(member),
                "line_comment" | "block_comment" | ";" | "{" | "}" => {}
                _ => self.outside(member),
            }
        }
        for field in class.fields.iter().filter(|f| f.ty.is_atomic() && f.value.is_none()) {
            let body = class.constructor.as_ref().and_then(|c| c.body);
            if field.is_static || !body.is_some_and(|b| self.assigns(b, &field.name)) {
                let message = "an atomic field gets its object at its declaration or in the constructor";
                self.diagnostics.push(Diagnostic::error("E0802", field.span, message));
            }
        }
        self.declared_type(node);
        self.classes.insert(name, class);
    }

    /// A type of the program, by its name alone.
    fn declared_type(&mut self, node: Node<'t>) {
        let (name, variables) = (self.part(node, "name").to_string(), self.type_variables(node));
        if !variables.is_empty() {
            self.generic.insert(name.clone(), variables);
        }
        if self.declarations.insert(name, node).is_some() {
            let message = "two classes of one file have this name";
            self.diagnostics.push(Diagnostic::error("E0802", self.span(node), message));
        }
    }

    /// What an interface promises is looked for in the classes; a default method is not found
    /// there.
    fn interface(&mut self, node: Node<'t>) {
        let above = children(node).into_iter().find(|c| c.kind() == "extends_interfaces");
        let above = above.map(|n| self.names(n)).unwrap_or_default();
        self.declared_type(node);
        self.interfaces.insert(self.part(node, "name").to_string(), above);
        self.refuse_values(node);
    }

    /// The fields of an interface are not modelled: reading one is refused. But one with a default
    /// method is initialized with its classes.
    fn refuse_values(&mut self, node: Node<'t>) {
        let body = node.child_by_field_name("body").map(children).unwrap_or_default();
        let is_default = |n: &Node<'t>| {
            n.kind() == "method_declaration"
                && n.child_by_field_name("body").is_some()
                && !self.has(*n, "static")
        };
        let literal = |n: Node<'t>| n.kind().ends_with("_literal") && n.kind() != "null_literal";
        let value = |n: &Node<'t>| children(*n).into_iter().find_map(|d| d.child_by_field_name("value"));
        let plain = |n: &Node<'t>| value(n).is_none_or(|v| literal(v) || self.truth(v).is_some());
        let fields = body.iter().filter(|n| n.kind() == "constant_declaration");
        let found: Vec<Node<'t>> = fields.filter(|n| !plain(n)).copied().collect();
        if body.iter().any(is_default) {
            for field in found {
                let help = "move the field to a class, or the method";
                self.refuse(field, "a field of an interface with default methods is not modelled", help);
            }
        }
    }

    /// Classes that are below themselves; whether there are any.
    fn refuse_circles(&mut self) -> bool {
        let up = |name: &String| -> Vec<String> {
            let class = self.classes.get(name);
            let above = class.into_iter().flat_map(|c| c.parent.iter().chain(&c.interfaces));
            above.chain(self.interfaces.get(name).into_iter().flatten()).cloned().collect()
        };
        let round = |name: &String| {
            let (mut seen, mut open) = (std::collections::BTreeSet::new(), up(name));
            while let Some(next) = open.pop() {
                if seen.insert(next.clone()) {
                    open.extend(up(&next));
                }
            }
            seen.contains(name)
        };
        let found: Vec<Node<'t>> =
            self.declarations.iter().filter(|(name, _)| round(name)).map(|(_, node)| *node).collect();
        found.iter().for_each(|n| {
            self.diagnostics.push(Diagnostic::error("E0801", self.span(*n), "this class is below itself"));
        });
        !found.is_empty()
    }

    /// Fields of which it is not known whether they are constant variables.
    fn refuse_fields(&mut self) {
        let fields: Vec<Field<'t>> = self.classes.values().flat_map(|c| c.fields.clone()).collect();
        for field in fields {
            if let Some(value) = field.value.filter(|_| self.constancy(&field) == Constancy::NotKnown) {
                let help = "write its value as a literal, or remove `final`";
                self.refuse(value, "whether this is a constant expression is not known", help);
            }
        }
    }

    fn names(&self, node: Node<'t>) -> Vec<String> {
        self.types(node).into_iter().map(|n| self.base(n).to_string()).collect()
    }

    pub fn has(&self, node: Node<'t>, modifier: &str) -> bool {
        let modifiers = children(node).into_iter().find(|c| c.kind() == "modifiers");
        modifiers.is_some_and(|m| children(m).into_iter().any(|c| self.text(c) == modifier))
    }

    fn field(&mut self, class: &str, node: Node<'t>) -> Vec<Field<'t>> {
        let ty = node.child_by_field_name("type");
        let (is_static, is_final) = (self.has(node, "static"), self.has(node, "final"));
        let (is_volatile, is_private) = (self.has(node, "volatile"), self.has(node, "private"));
        let declarators: Vec<Node<'t>> =
            children(node).into_iter().filter(|c| c.kind() == "variable_declarator").collect();
        let one = |d: Node<'t>| Field {
            name: self.part(d, "name").to_string(),
            class: class.to_string(),
            ty: self.declared(ty, class, self.part(d, "name")),
            is_static,
            is_final,
            is_volatile,
            is_private,
            written: ty.map_or("", |n| self.text(n)).to_string(),
            value: d.child_by_field_name("value"),
            span: self.span(d),
        };
        declarators.into_iter().map(one).collect()
    }

    fn method(&mut self, class: &str, node: Node<'t>) -> Method<'t> {
        let parameters = node.child_by_field_name("parameters").map(children).unwrap_or_default();
        let parameters: Vec<Node<'t>> = parameters
            .into_iter()
            .filter(|p| matches!(p.kind(), "formal_parameter" | "spread_parameter"))
            .collect();
        let first = match parameters[..] {
            [one] => self.written(one),
            _ => String::new(),
        };
        let parameters = parameters
            .into_iter()
            .map(|p| match p.kind() {
                "formal_parameter" => {
                    let name = self.part(p, "name");
                    (name.to_string(), self.declared(p.child_by_field_name("type"), class, name))
                }
                _ => {
                    let name = children(p).into_iter().find(|n| n.kind() == "variable_declarator");
                    (name.map_or("", |n| self.part(n, "name")).to_string(), Type::Loose)
                }
            })
            .collect();
        Method {
            name: self.part(node, "name").to_string(),
            class: class.to_string(),
            parameters,
            result: self.declared(node.child_by_field_name("type"), class, self.part(node, "name")),
            is_static: self.has(node, "static"),
            is_synchronized: self.has(node, "synchronized"),
            is_private: self.has(node, "private"),
            first,
            body: node.child_by_field_name("body"),
            span: self.span(node.child_by_field_name("name").unwrap_or(node)),
        }
    }

    /// The type of a parameter, as it is written.
    fn written(&self, node: Node<'t>) -> String {
        match node.kind() {
            "formal_parameter" => self.part(node, "type").to_string(),
            _ => format!(
                "{}...",
                parts(node).iter().find(|n| n.kind().ends_with("identifier")).map_or("", |n| self.text(*n))
            ),
        }
    }

    /// The methods that a program may begin with.
    pub fn mains(&self) -> Vec<Method<'t>> {
        let ours = |m: &&Method<'t>| {
            let array = |text: &str| {
                matches!(text.split_whitespace().collect::<String>().as_str(), "String[]" | "String...")
            };
            m.name == "main" && m.is_static && m.result == Type::Void && array(&m.first)
        };
        self.classes.values().flat_map(|c| c.methods.iter().filter(ours)).cloned().collect()
    }

    /// The type of something with a name, which may have a declared range.
    pub fn declared(&self, node: Option<Node<'t>>, class: &str, name: &str) -> Type {
        let range = self.ranges.get(&format!("{class}.{name}")).or_else(|| self.ranges.get(name));
        match (range, node.map(|n| self.text(n))) {
            (Some((low, high)), Some("int" | "long")) => Type::Number(*low, *high),
            (Some((low, high)), Some("AtomicInteger" | "AtomicLong")) => Type::AtomicNumber(*low, *high),
            _ => self.ty(node),
        }
    }

    pub fn ty(&self, node: Option<Node<'t>>) -> Type {
        let Some(node) = node else { return Type::Void };
        match (node.kind(), self.text(node)) {
            ("boolean_type", _) => Type::Boolean,
            (_, "AtomicBoolean") => Type::Atomic,
            ("void_type", _) => Type::Void,
            ("integral_type" | "floating_point_type", _) => Type::Forgotten,
            (_, name) if BOXES.contains(&name) => Type::Boxed,
            (_, name) if FORGOTTEN.contains(&name) => Type::Loose,
            ("generic_type", text) if text.starts_with("AtomicReference<") => {
                let of = node.named_child(1).and_then(|of| of.named_child(0));
                Type::AtomicReference(of.map_or("Object", |n| self.text(n)).to_string())
            }
            ("generic_type", _) => self.ty(node.named_child(0)),
            ("type_identifier", name) => Type::Reference(name.to_string()),
            (_, text) if text.ends_with("[]") => Type::Loose,
            (_, name) => Type::Reference(name.to_string()),
        }
    }

    /// Whether a `for` counts up or down to something that does not move: it ends.
    pub fn is_counted(&self, node: Node<'t>) -> bool {
        let part = |name: &str| node.child_by_field_name(name);
        let (Some(init), Some(condition), Some(update), Some(body)) =
            (part("init"), part("condition"), part("update"), part("body"))
        else {
            return false;
        };
        let name = self.part(condition, "left");
        let of_init = |d: &Node<'t>| d.kind() == "variable_declarator" && self.part(*d, "name") == name;
        let declared = parts(init).iter().any(of_init) && self.part(init, "type") == "int";
        let text: String = self.text(update).split_whitespace().collect();
        let up = text == format!("{name}++") || text == format!("++{name}") || text == format!("{name}+=1");
        let down = text == format!("{name}--") || text == format!("--{name}") || text == format!("{name}-=1");
        let toward = match self.part(condition, "operator") {
            "<" | "<=" => up,
            ">" | ">=" => down,
            _ => false,
        };
        let strict = matches!(self.part(condition, "operator"), "<" | ">");
        let limit = condition.child_by_field_name("right");
        let methods = || self.classes.values().flat_map(|c| c.methods.iter().chain(&c.constructor));
        let bodies = || methods().filter_map(|m| m.body);
        let still = |n: Node<'t>| bodies().all(|b| !self.touches(b, self.text(n)));
        let fixed = limit.is_some_and(|l| match l.kind() {
            // A counter never passes the greatest number.
            "decimal_integer_literal" => self.text(l).parse::<i32>().is_ok_and(|v| v < i32::MAX),
            "identifier" => strict && still(l) && self.are_ints(self.text(l)),
            "field_access" if self.part(l, "field") == "length" => {
                let array = l.child_by_field_name("object").filter(|o| o.kind() == "identifier");
                strict && array.is_some_and(still)
            }
            _ => false,
        });
        toward && declared && fixed && !self.touches(body, name)
    }

    /// Whether all that is declared with this name is an `int`.
    fn are_ints(&self, name: &str) -> bool {
        let all = self.declarations.values().all(|n| self.is_int(*n, name));
        let fields = self.classes.values().flat_map(|c| &c.fields).filter(|f| f.name == name);
        all && fields.into_iter().all(|f| f.written == "int")
    }

    fn is_int(&self, node: Node<'t>, name: &str) -> bool {
        let declares = match node.kind() {
            "local_variable_declaration" => {
                parts(node).iter().any(|d| d.kind() == "variable_declarator" && self.part(*d, "name") == name)
            }
            "formal_parameter" => self.part(node, "name") == name,
            _ => false,
        };
        (!declares || self.part(node, "type") == "int")
            && parts(node).into_iter().all(|n| self.is_int(n, name))
    }

    /// Whether a text may change a variable of this name.
    fn touches(&self, node: Node<'t>, name: &str) -> bool {
        let changes = matches!(node.kind(), "assignment_expression" | "update_expression");
        changes && self.mentions(node, name) || parts(node).into_iter().any(|n| self.touches(n, name))
    }

    /// Whether a text gives a variable of this name a new value, somewhere.
    pub fn assigns(&self, node: Node<'t>, name: &str) -> bool {
        let target = match node.kind() {
            "assignment_expression" => node.child_by_field_name("left"),
            "update_expression" => parts(node).first().copied(),
            _ => None,
        };
        let last = target.map(inside).map(|t| t.child_by_field_name("field").unwrap_or(t));
        last.is_some_and(|t| self.text(t) == name) || parts(node).into_iter().any(|n| self.assigns(n, name))
    }

    /// Whether evaluating this changes nothing: no calls, creations or assignments.
    pub fn is_quiet(&self, node: Node<'t>) -> bool {
        let kinds = ["method_invocation", "object_creation_expression", "assignment_expression"];
        let noisy =
            kinds.contains(&node.kind()) || matches!(node.kind(), "update_expression" | "lambda_expression");
        !noisy && parts(node).into_iter().all(|n| self.is_quiet(n))
    }

    /// Whether a name stands somewhere in a text.
    pub fn mentions(&self, node: Node<'t>, name: &str) -> bool {
        let own = matches!(node.kind(), "identifier" | "type_identifier") && self.text(node) == name;
        own || parts(node).into_iter().any(|n| self.mentions(n, name))
    }

    /// Whether a value needs a class to be initialized, as far as names go: its constants do not.
    pub fn depends(&self, node: Node<'t>, name: &str) -> bool {
        let constant = || {
            let field = self.find_field(self.part(node, "object"), self.part(node, "field"));
            field.is_some_and(|f| self.constant_value(f).is_some())
        };
        if node.kind() == "field_access" && constant() {
            return false;
        }
        let own = matches!(node.kind(), "identifier" | "type_identifier") && self.text(node) == name;
        own || parts(node).into_iter().any(|n| self.depends(n, name))
    }

    /// The value of a literal.
    pub fn truth(&self, node: Node<'t>) -> Option<bool> {
        match node.kind() {
            "true" => Some(true),
            "false" => Some(false),
            _ => None,
        }
    }

    /// Whether evaluating this starts no thread and passes `this` to nothing: no calls, no lambdas,
    /// `this` only before a field.
    pub fn is_calm(&self, node: Node<'t>) -> bool {
        let own = match node.kind() {
            "method_invocation" => crate::library::HARMLESS.contains(&self.part(node, "name")),
            "lambda_expression" | "explicit_constructor_invocation" => false,
            "this" => node
                .parent()
                .is_some_and(|p| p.kind() == "field_access" && p.child_by_field_name("object") == Some(node)),
            "object_creation_expression" => {
                let class = self.part(node, "type").split('<').next().unwrap_or("");
                self.classes.get(class).is_none_or(|c| self.is_calm_class(c))
            }
            _ => true,
        };
        own && parts(node).into_iter().all(|n| self.is_calm(n))
    }

    /// Whether creating an object of the class is.
    pub fn is_calm_class(&self, class: &Class<'t>) -> bool {
        let values = class.fields.iter().filter(|f| !f.is_static).filter_map(|f| f.value);
        let body = class.constructor.as_ref().and_then(|c| c.body);
        let above = class.parent.as_ref().and_then(|p| self.classes.get(p));
        values.chain(body).all(|n| !self.creates(n, &class.name) && self.is_calm(n))
            && above.is_none_or(|c| self.is_calm_class(c))
    }

    /// Whether an object of this class is created somewhere in it.
    fn creates(&self, node: Node<'t>, class: &str) -> bool {
        let own = node.kind() == "object_creation_expression" && self.part(node, "type") == class;
        own || parts(node).into_iter().any(|n| self.creates(n, class))
    }

    /// Whether nothing in the text gives a field of this name a value, but its declaration.
    pub fn is_left_alone(&self, name: &str) -> bool {
        let bodies = self.classes.values().flat_map(|c| c.methods.iter().chain(&c.constructor));
        let values = self.classes.values().flat_map(|c| &c.fields).filter_map(|f| f.value);
        bodies.filter_map(|m| m.body).chain(values).all(|b| !self.assigns(b, name))
    }

    /// Whether a static field has one value from the beginning to the end.
    pub fn is_constant(&self, field: &Field<'t>) -> bool {
        field.is_static && !self.lazy.contains(&field.class) && self.is_left_alone(&field.name)
    }

    /// Whether a field has an object of its own from the beginning to the end: it is created for
    /// it, and it gets no other.
    pub fn has_own_object(&self, field: &Field<'t>) -> bool {
        let created = field.value.is_some_and(|v| {
            v.kind() == "object_creation_expression"
                || v.kind() == "method_invocation" && self.part(v, "name") == "newCondition"
        });
        created && self.is_left_alone(&field.name)
    }

    /// A field by its name in a class or above it.
    pub fn find_field(&self, class: &str, name: &str) -> Option<&Field<'t>> {
        let class = self.classes.get(class)?;
        let own = class.fields.iter().find(|f| f.name == name);
        own.or_else(|| self.find_field(class.parent.as_deref()?, name).filter(|f| !f.is_private))
    }

    /// The method that an object of exactly this class answers a call with.
    pub fn find_method(&self, class: &str, name: &str, arguments: usize) -> Option<&Method<'t>> {
        let class = self.classes.get(class)?;
        let fits = |m: &&Method<'t>| m.name == name && m.parameters.len() == arguments && m.body.is_some();
        let own = class.methods.iter().find(fits);
        let above = || self.find_method(class.parent.as_deref()?, name, arguments);
        own.or_else(|| above().filter(|m| !m.is_private))
    }

    /// Whether an object of the one class is one of the other class or interface.
    pub fn is_a(&self, class: &str, above: &str) -> bool {
        let up = |names: &[String]| names.iter().any(|name| self.is_a(name, above));
        class == above
            || self.interfaces.get(class).is_some_and(|names| up(names))
            || self.classes.get(class).is_some_and(|c| {
                up(&c.interfaces) || c.parent.as_deref().is_some_and(|p| self.is_a(p, above))
            })
    }

    /// The classes of which an object may be whose static type is this.
    pub fn below(&self, class: &str) -> Vec<String> {
        let concrete = self.classes.values().filter(|c| !c.is_abstract);
        concrete.map(|c| &c.name).filter(|name| self.is_a(name, class)).cloned().collect()
    }

    /// Whether a class is a thread: `Thread`, or one that extends it.
    pub fn is_thread(&self, class: &str) -> bool {
        class == "Thread"
            || self.classes.get(class).and_then(|c| c.parent.as_deref()).is_some_and(|p| self.is_thread(p))
    }
}

/// An expression without the parentheses around it.
pub fn inside(mut node: Node<'_>) -> Node<'_> {
    while let ("parenthesized_expression", Some(inner)) = (node.kind(), parts(node).first()) {
        node = *inner;
    }
    node
}

/// All children, comments included.
pub fn children(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    node.children(&mut cursor).collect()
}

/// Children that mean something.
pub fn parts(node: Node<'_>) -> Vec<Node<'_>> {
    let mut cursor = node.walk();
    let named: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
    named.into_iter().filter(|n| !n.kind().ends_with("comment")).collect()
}
