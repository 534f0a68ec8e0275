//! Parts of the syntax tree.

use tree_sitter::Node;

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

/// A part by its name.
pub fn child<'t>(node: Node<'t>, name: &str) -> Option<Node<'t>> {
    node.child_by_field_name(name)
}

/// What is given to a call or a constructor.
pub fn arguments(node: Node<'_>) -> Vec<Node<'_>> {
    child(node, "arguments").map(parts).unwrap_or_default()
}

/// Both sides of an operator or an assignment.
pub fn sides(node: Node<'_>) -> Option<(Node<'_>, Node<'_>)> {
    child(node, "left").zip(child(node, "right"))
}
