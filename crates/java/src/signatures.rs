//! Which methods a class has, and that its name and number of parameters is enough to tell which
//! one a call means.
//!
//! All methods of one name and number of parameters that a class declares or inherits, from
//! interfaces too and with type arguments put in, must have the same types: then they override each
//! other, and none overloads another. Methods that the library calls or declares, on every object,
//! on threads and on exceptions, are not declared otherwise than there.

use crate::names::Words;
use crate::program::Program;
use crate::raise::is_exception;
use crate::tree::{child, children};
use std::collections::BTreeMap;
use tree_sitter::Node;

/// A type of the program: its parameters, what is above it with type arguments, and its methods.
#[derive(Clone, Debug, Default)]
pub struct Shape<'t> {
    variables: Vec<String>,
    above: Vec<(String, Vec<String>)>,
    methods: Vec<Signature<'t>>,
}

#[derive(Clone, Debug)]
struct Signature<'t> {
    name: String,
    parameters: Vec<String>,
    result: String,
    node: Node<'t>,
}

/// Methods of every object that cannot be declared again, or would be called by what is not
/// modelled.
const OF_OBJECTS: [&str; 5] = ["getClass", "notify", "notifyAll", "wait", "finalize"];

/// Methods of exceptions that the library calls.
const OF_EXCEPTIONS: Words = Words(
    "toString getMessage getLocalizedMessage getCause initCause fillInStackTrace printStackTrace \
     getStackTrace setStackTrace addSuppressed equals hashCode",
);

/// Methods of threads.
const OF_THREADS: Words = Words(
    "start join sleep yield interrupt interrupted isInterrupted isAlive isDaemon setDaemon \
     getName setName getId threadId getPriority setPriority getState getThreadGroup currentThread \
     onSpinWait stop suspend resume holdsLock getUncaughtExceptionHandler \
     setUncaughtExceptionHandler getContextClassLoader",
);

/// Interfaces of the library that a class may implement: nothing of the library that is modelled
/// calls them but `run`.
const INTERFACES: [&str; 3] = ["Runnable", "Cloneable", "Serializable"];

impl<'t> Program<'t> {
    /// Refuses what may mean several methods.
    pub fn refuse_overloads(&mut self, root: Node<'t>) {
        let mut shapes = BTreeMap::new();
        self.shapes(root, &mut shapes);
        for (name, shape) in &shapes {
            self.refuse_above(name, shape);
            for method in &shape.methods {
                self.refuse_of_library(name, method);
            }
            self.refuse_differing(name, &shapes);
        }
    }

    /// All types of a text.
    fn shapes(&self, node: Node<'t>, shapes: &mut BTreeMap<String, Shape<'t>>) {
        if matches!(node.kind(), "class_declaration" | "interface_declaration") {
            let body = child(node, "body").map(children).unwrap_or_default();
            let methods = body.into_iter().filter(|n| n.kind() == "method_declaration");
            let lists = ["superclass", "super_interfaces", "extends_interfaces"];
            let above = children(node).into_iter().filter(|n| lists.contains(&n.kind()));
            let shape = Shape {
                variables: self.type_variables(node),
                above: above.flat_map(|n| self.types(n)).map(|n| self.applied(n)).collect(),
                methods: methods.map(|n| self.signature(n)).collect(),
            };
            shapes.insert(self.part(node, "name").to_string(), shape);
        }
        children(node).into_iter().for_each(|child| self.shapes(child, shapes));
    }

    /// The types that a list of what is above names, without their arguments' own.
    pub fn types(&self, node: Node<'t>) -> Vec<Node<'t>> {
        let named = children(node).into_iter().filter(Node::is_named);
        let one = |n: Node<'t>| match n.kind() {
            "type_list" => self.types(n),
            kind if kind.ends_with("comment") => Vec::new(),
            _ => vec![n],
        };
        named.flat_map(one).collect()
    }

    /// A type and its arguments.
    fn applied(&self, node: Node<'t>) -> (String, Vec<String>) {
        let arguments = children(node).into_iter().find(|n| n.kind() == "type_arguments");
        let arguments = arguments.map(|n| self.types(n)).unwrap_or_default();
        (self.base(node).to_string(), arguments.into_iter().map(|n| self.squeezed(n)).collect())
    }

    /// The name of a type without its arguments.
    pub fn base(&self, node: Node<'t>) -> &'t str {
        match node.kind() {
            "generic_type" => node.named_child(0).map_or("", |n| self.text(n)),
            _ => self.text(node),
        }
    }

    fn squeezed(&self, node: Node<'t>) -> String {
        self.text(node).split_whitespace().collect()
    }

    fn signature(&self, node: Node<'t>) -> Signature<'t> {
        let parameters = child(node, "parameters").map(children).unwrap_or_default();
        let parameters = parameters.into_iter().filter(|n| n.kind() == "formal_parameter");
        let ty = |n: Node<'t>| child(n, "type").map(|n| self.squeezed(n)).unwrap_or_default();
        Signature {
            name: self.part(node, "name").to_string(),
            parameters: parameters.map(ty).collect(),
            result: ty(node),
            node,
        }
    }

    /// What is above a class is of the program, or one of the few of the library that call nothing
    /// of it.
    fn refuse_above(&mut self, name: &str, shape: &Shape<'t>) {
        let interfaces = self.interfaces.contains_key(name);
        for (above, _) in &shape.above {
            let class = ["Thread", "Object"].contains(&above.as_str()) || is_exception(above);
            if self.is_own(above) || INTERFACES.contains(&above.as_str()) || class && !interfaces {
                continue;
            }
            let message = format!("a class or interface below `{above}` of the library is not modelled");
            if let Some(node) = shape.methods.first().map(|m| m.node).or_else(|| self.declaration(name)) {
                self.refuse(node, message, "`weave explain E0802` says what is");
            }
        }
    }

    pub fn declaration(&self, name: &str) -> Option<Node<'t>> {
        self.declarations.get(name).copied()
    }

    /// Methods that the library has or calls.
    fn refuse_of_library(&mut self, class: &str, method: &Signature<'t>) {
        let (name, many) = (method.name.as_str(), method.parameters.len());
        let of_object = OF_OBJECTS.contains(&name) && (name != "finalize" || many == 0);
        let equals = name == "equals" && many == 1 && method.parameters[0] != "Object";
        let of_thread = OF_THREADS.contains(name) && self.is_thread(class);
        let of_exception = OF_EXCEPTIONS.contains(name) && self.is_exception(class);
        if of_object || equals || of_thread || of_exception {
            let message = format!("a method `{name}` here is one of the library's, or hides one");
            self.refuse(method.node, message, "give it another name");
        }
    }

    /// Whether a class is an exception.
    fn is_exception(&self, class: &str) -> bool {
        let parent = self.classes.get(class).and_then(|c| c.parent.as_deref());
        is_exception(class) || parent.is_some_and(|p| p != class && self.is_exception(p))
    }

    /// Methods of one name and number of parameters, and different types.
    fn refuse_differing(&mut self, name: &str, shapes: &BTreeMap<String, Shape<'t>>) {
        let mut all = Vec::new();
        gather(name, &[], shapes, &mut all, 0);
        let mut first: BTreeMap<(String, usize), Signature<'t>> = BTreeMap::new();
        for method in all {
            let key = (method.name.clone(), method.parameters.len());
            let known = first.entry(key).or_insert_with(|| method.clone()).clone();
            if known.parameters == method.parameters && known.result == method.result {
                continue;
            }
            let message = match known.parameters == method.parameters {
                true => format!("`{}` overrides a method with another result", known.name),
                false => format!(
                    "which `{}` a call means is not modelled: two in `{name}` differ in their types",
                    known.name
                ),
            };
            self.refuse(known.node, message, "give them different names, or the same types");
        }
    }
}

/// The methods of a type and of what is above it, with type arguments put in.
fn gather<'t>(
    name: &str,
    arguments: &[String],
    shapes: &BTreeMap<String, Shape<'t>>,
    all: &mut Vec<Signature<'t>>,
    depth: usize,
) {
    let Some(shape) = shapes.get(name).filter(|_| depth <= shapes.len()) else { return };
    let put = |ty: &String| put_in(ty, &shape.variables, arguments);
    for method in &shape.methods {
        let parameters = method.parameters.iter().map(put).collect();
        all.push(Signature { parameters, result: put(&method.result), ..method.clone() });
    }
    for (above, given) in &shape.above {
        let given: Vec<String> = given.iter().map(put).collect();
        gather(above, &given, shapes, all, depth + 1);
    }
}

/// A type with arguments in place of parameters.
fn put_in(ty: &str, variables: &[String], arguments: &[String]) -> String {
    let mut result = String::new();
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let mut rest = ty;
    while !rest.is_empty() {
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        let given = variables.iter().position(|v| v == word).and_then(|n| arguments.get(n));
        result.push_str(given.map_or(word, |g| g));
        let next = after.chars().next().map_or(0, char::len_utf8);
        result.push_str(&after[..next]);
        rest = &after[next..];
    }
    result
}
