//! What the text shows: loops that count, names that are given values, expressions that do nothing.

use crate::program::{Class, Program};
use crate::tree::{child, inside, parts};
use tree_sitter::Node;

/// A name, and the object before it.
pub type Named<'t> = (Option<Node<'t>>, &'t str);

impl<'t> Program<'t> {
    /// Whether something with this name is declared somewhere in a text.
    pub fn declares(&self, node: Node<'t>, name: &str) -> bool {
        let kinds = ["variable_declarator", "formal_parameter", "method_declaration"];
        kinds.contains(&node.kind()) && self.part(node, "name") == name
            || parts(node).into_iter().any(|n| self.declares(n, name))
    }

    /// Whether a `for` counts up or down to something that does not move: it ends.
    pub fn is_counted(&self, node: Node<'t>) -> bool {
        let part = |name: &str| child(node, name);
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
        let limit = child(condition, "right");
        let methods = || self.classes.values().flat_map(|c| c.methods.iter().chain(&c.constructor));
        let bodies = || methods().filter_map(|m| m.body);
        let still = |n: Node<'t>| bodies().all(|b| !self.touches(b, self.text(n)));
        let fixed = limit.is_some_and(|l| match l.kind() {
            // A counter never passes the greatest number.
            "decimal_integer_literal" => self.text(l).parse::<i32>().is_ok_and(|v| v < i32::MAX),
            "identifier" => strict && still(l) && self.are_ints(self.text(l)),
            "field_access" if self.part(l, "field") == "length" => {
                let array = child(l, "object").filter(|o| o.kind() == "identifier");
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
            "assignment_expression" => child(node, "left"),
            "update_expression" => parts(node).first().copied(),
            _ => None,
        };
        let last = target.map(inside).map(|t| child(t, "field").unwrap_or(t));
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

    /// The object and the name of a variable or field, as they are written.
    pub fn named(&self, node: Node<'t>) -> Option<Named<'t>> {
        match node.kind() {
            "identifier" => Some((None, self.text(node))),
            "field_access" => Some((child(node, "object"), self.part(node, "field"))),
            _ => None,
        }
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
            "method_invocation" => crate::calls::HARMLESS.contains(&self.part(node, "name")),
            "lambda_expression" | "explicit_constructor_invocation" => false,
            "this" => {
                node.parent().is_some_and(|p| p.kind() == "field_access" && child(p, "object") == Some(node))
            }
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
}
