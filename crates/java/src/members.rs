//! What a class has, above and below it too.

use crate::program::{Field, Method, Program, Type};

impl<'t> Program<'t> {
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
}
