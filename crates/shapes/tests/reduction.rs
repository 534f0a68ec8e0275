//! Transient locations and forgotten individuals make no difference to answers: with and without
//! them, and against concrete runs.

mod support;

use shapes::abstracted::{Join, Wish, explore};
use shapes::answer::{Request, Seen, answer, properties};
use shapes::concrete::Bounds;
use shapes::crosscheck::crosscheck;
use shapes::prepared::prepare;
use shapes::reduce::reduce;
use source::SourceMap;
use structures::model::Model;
use support::text;

fn java(text: &str) -> Model {
    let mut map = SourceMap::new();
    let file = map.add("Program.java", format!("import java.util.concurrent.locks.*;\n{text}"));
    let (model, diagnostics) = java::read(&map, file);
    model.unwrap_or_else(|| panic!("{diagnostics:#?}"))
}

fn verdicts(model: &Model, reduce: bool) -> Vec<(String, &'static str)> {
    let request = Request { reduce, join: Join::Partial, concrete_first: true, ..Request::default() };
    let answer = answer(model, &request, &mut explore::NoListener);
    let word = |verdict: &Seen| match verdict {
        Seen::Nothing => "holds",
        Seen::Run(_) => "violated",
        Seen::Open { .. } => "unknown",
    };
    answer.properties.iter().map(|p| (p.name.clone(), word(&p.seen))).collect()
}

fn program(body: &str, before: &str) -> String {
    format!(
        "class W extends Thread {{\n{before}\n public void run() {{\n{body}\n }}\n}}\n\
         public class P {{\n public static void main(String[] a) {{ new W().start(); new W().start(); }}\n}}\n"
    )
}

/// What threads do to a field that nothing guards can be seen by others between any two steps.
#[test]
fn races_are_not_passed_over() {
    let body = "x = true; if (!x) { assert false; } x = false;";
    let racy = java(&program(body, "static boolean x;"));
    assert!(verdicts(&racy, true).contains(&("error".to_string(), "violated")));
    assert!(verdicts(&racy, false).contains(&("error".to_string(), "violated")));
    let guarded = format!("synchronized (l) {{ {body} }}");
    let safe = java(&program(&guarded, "static boolean x; static final Object l = new Object();"));
    assert!(verdicts(&safe, true).contains(&("error".to_string(), "holds")));
    assert!(verdicts(&safe, false).contains(&("error".to_string(), "holds")));
}

/// A field that is used under its lock but in one place is not guarded.
#[test]
fn one_use_without_the_lock_counts() {
    let body = "synchronized (l) { x = true; if (!x) { assert false; } } x = false;";
    let program = java(&program(body, "static boolean x; static final Object l = new Object();"));
    assert!(verdicts(&program, true).contains(&("error".to_string(), "violated")));
}

/// Who looks whether a lock is taken sees when it is given back.
#[test]
fn try_lock_sees_the_lock() {
    let body = "if (l.tryLock()) { l.unlock(); } else { assert false; }";
    let program = java(&program(body, "static final ReentrantLock l = new ReentrantLock();"));
    assert!(verdicts(&program, true).contains(&("error".to_string(), "violated")));
}

#[test]
fn the_same_answers_with_and_without() {
    for name in ["Mutex.java", "LockOrder.java", "LockOrderKept.java"] {
        let model = java(&text(name));
        let (with, without) = (verdicts(&model, true), verdicts(&model, false));
        for ((name, with), (_, without)) in with.iter().zip(&without) {
            assert!(
                with == without || *without == "unknown",
                "{name}: {with}, {without} if nothing is left out"
            );
        }
    }
}

/// Every concrete state at which no thread is at a transient location is covered, but for
/// individuals that nothing can reach.
#[test]
fn reduced_spaces_cover_concrete_runs() {
    let few = Bounds { states: 250, individuals: 8 };
    let all =
        [("Mutex.java", "critical"), ("BufferNotifyAll.java", "deadlock"), ("SafeStack.java", "inside")];
    for (name, property) in all.into_iter().chain([("RequestHandlers.java", "critical")]) {
        let mut model = java(&text(name));
        assert!(properties(&model).iter().any(|(n, _)| n == property), "{name}");
        reduce(&mut model, &[property.to_string()]);
        assert!(!model.transient.is_empty() && model.collects, "{name}");
        let prepared = prepare(&model, &[]);
        let wish = Wish { join: Join::Partial, ..Wish::default() };
        let space = explore(&prepared, &wish, &mut explore::NoListener);
        let checked = crosscheck(&model, &prepared, &space, 3, few);
        assert!(checked.as_ref().is_ok_and(|c| c.states > 10), "{name}: {checked:?}");
    }
}
