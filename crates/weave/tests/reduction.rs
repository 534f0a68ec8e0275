//! Partial-order reduction from outside: where it is used, where it is not and the answer says so,
//! and how it is explained.

mod support;

use serde_json::Value;
use support::{model, valid, weave};

/// Models in which something sees the order of steps that share nothing; the beginning of why they
/// are not reduced, if they are not.
const DELICATE: [(&str, Option<&str>); 6] = [
    ("micro/micro_reduction_last.pml", Some("the model reads _last")),
    ("micro/micro_reduction_priority.pml", Some("the model uses priorities")),
    ("micro/micro_reduction_timeout.pml", None),
    ("micro/micro_reduction_else.pml", None),
    ("micro/micro_reduction_birth.pml", None),
    ("micro/micro_reduction_death.pml", None),
];

fn check(name: &str, options: &[&str]) -> Value {
    let file = model(name);
    let arguments = [&["check", "--json", "--keep-going"], options, &[file.as_str()]].concat();
    valid(&weave(&arguments)).pop().unwrap()
}

#[test]
fn what_sees_the_order_of_steps_is_reduced_with_care_or_not_at_all_and_said() {
    let mut smaller = 0;
    for (name, why) in DELICATE {
        let (reduced, full) = (check(name, &[]), check(name, &["--reduction", "none"]));
        let kinds = |result: &Value| {
            ["deadlock", "assertion", "runtime"].map(|kind| result["errors"][kind].as_u64() > Some(0))
        };
        assert_eq!(kinds(&reduced), kinds(&full), "{name}");
        assert_eq!(reduced["unreached"], full["unreached"], "{name}");
        match why {
            Some(why) => {
                assert_eq!(reduced["reduction"], "none", "{name}");
                assert!(reduced["reduction_dropped"].as_str().unwrap().starts_with(why), "{name}");
                let text = weave(&["check", &model(name)]).stdout;
                assert!(text.contains(why), "{text}");
            }
            None => {
                assert_eq!(
                    (&reduced["reduction"], &reduced["reduction_dropped"]),
                    (&"persistent+sleep".into(), &Value::Null)
                );
                assert!(reduced["states"].as_u64() <= full["states"].as_u64(), "{name}");
                smaller += usize::from(reduced["states"].as_u64() < full["states"].as_u64());
            }
        }
    }
    assert!(smaller > 0);
}

#[test]
fn philosophers_take_the_square_of_their_number() {
    for n in 4..=9u64 {
        let define = format!("N={n}");
        let options = ["-D", &define, "--raw", "--property", "deadlock", "--proviso", "off"];
        let result = check("philosophers_deadlock.pml", &options);
        assert_eq!(result["states"], 4 * n * n - 8 * n + 10, "{n}");
        assert_eq!(result["errors"]["deadlock"], 1, "{n}");
    }
}

#[test]
fn states_in_which_nothing_is_left_out_are_counted() {
    let name = "micro/micro_reduction_timeout.pml";
    let result = check(name, &[]);
    let off = result["reduction_off"].as_array().unwrap();
    assert!(off.iter().any(|o| o["why"] == "a timeout" && o["states"].as_u64() > Some(0)), "{off:?}");
    let text = weave(&["check", "--keep-going", &model(name)]).stdout;
    assert!(text.contains("proviso, off in 1 state: a timeout"), "{text}");
    assert_eq!(check("peterson.pml", &[])["reduction_off"], Value::Array(Vec::new()));
}

#[test]
fn a_false_channel_assertion_is_named_and_a_true_one_is_not() {
    let explained = explain("micro/micro_chan_exclusive_false.pml", "start");
    let assertions = explained["promises"].as_array().unwrap();
    let broken: Vec<_> = assertions
        .iter()
        .map(|p| (p["text"].as_str().unwrap(), p["broken_by"].as_array().unwrap().len()))
        .collect();
    assert!(broken.contains(&("xs", 2)) && broken.contains(&("xr", 0)), "{assertions:?}");
    let channel = &explained["channels"][0];
    assert_eq!((&channel["name"], channel["receivers"].as_array().unwrap().len()), (&"q".into(), 1));
    assert_eq!(channel["senders"].as_array().unwrap().len(), 2);
}

fn explain(name: &str, at: &str) -> Value {
    let answer = weave(&["check", "--json", &format!("--explain-reduction={at}"), &model(name)]);
    assert_eq!(answer.code, 0, "{answer:?}");
    valid(&answer).pop().unwrap()
}

#[test]
fn every_choice_in_a_set_has_a_reason_and_what_is_left_out_has_none() {
    for name in ["philosophers_deadlock.pml", "alternating_bit.pml", "micro/micro_reduction_timeout.pml"] {
        let explained = explain(name, "first");
        let choices = explained["choices"].as_array().unwrap();
        assert!(choices.iter().any(|c| c["left_out"] == true), "{name}: {choices:?}");
        assert!(choices.iter().any(|c| c["enabled"] == true && c["in_set"] == true), "{name}");
        for choice in choices {
            assert_eq!(
                choice["in_set"] == true,
                !choice["reason"].as_str().unwrap().is_empty(),
                "{name}: {choice}"
            );
        }
    }
}

#[test]
fn a_state_is_named_by_a_trace_and_nonsense_is_refused() {
    let trace = std::env::temp_dir().join(format!("weave-explain-{}.trace", std::process::id()));
    let file = trace.to_string_lossy().into_owned();
    let name = model("philosophers_deadlock.pml");
    assert_eq!(weave(&["check", "--raw", "--trace", &file, &name]).code, 1);
    let answer = weave(&["check", "--raw", &format!("--explain-reduction={file}"), &name]);
    std::fs::remove_file(&trace).unwrap();
    assert_eq!(answer.code, 0, "{answer:?}");
    assert!(
        answer.stdout.starts_with("REDUCTION  nothing is left out: fewer than two steps are enabled"),
        "{}",
        answer.stdout
    );
    assert_eq!(weave(&["check", "--explain-reduction=no-such-file", &name]).code, 2);
    let last = weave(&["check", "--explain-reduction", &model("micro/micro_reduction_last.pml")]);
    assert!(last.stdout.starts_with("REDUCTION  none: the model reads _last"), "{}", last.stdout);
}
