//! The format of a printf: escapes become characters, `%e` learns which set of names it shows.

use crate::model::{Expr, ExprKind, MtypeSetId, Type};

/// The set of names an expression takes its values from; the unnamed one if that is not known.
pub(crate) fn names_of(expr: &Expr) -> MtypeSetId {
    match &expr.kind {
        ExprKind::Mtype { set, .. } => *set,
        ExprKind::Read(place) => match place.ty {
            Type::Mtype(set) => set,
            _ => 0,
        },
        ExprKind::Conditional(_, a, _) => names_of(a),
        _ => 0,
    }
}

/// `sets` has one entry for each argument.
pub(crate) fn lower(format: &str, mut sets: impl Iterator<Item = MtypeSetId>) -> String {
    let mut out = String::new();
    let mut chars = format.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some('r') => out.push('\r'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            '%' => match chars.next() {
                Some('e') => out.push_str(&format!("%{}e", sets.next().unwrap_or(0))),
                Some('%') => out.push_str("%%"),
                Some(kind) => {
                    sets.next();
                    out.push('%');
                    out.push(kind);
                }
                None => out.push_str("%%"),
            },
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::lower;

    #[test]
    fn escapes_and_names() {
        assert_eq!(lower(r"a\tb\n\\%d %e %% %e", [7, 1, 2].into_iter()), "a\tb\n\\%d %1e %% %2e");
    }
}
