//! Every system call, and what becomes of it in a controlled program: the table of
//! preload/system_calls.h, which says what the classes mean.

/// Number, name, class: MODELLED, LIBRARY, HARMLESS, UNCONTROLLED or ENDS; by number.
pub const SYSTEM_CALLS: &[(u32, &str, &str)] = &include!(concat!(env!("OUT_DIR"), "/system_calls.rs"));

/// The class of a number: UNCONTROLLED unless the table says something else.
pub fn class(number: u32) -> &'static str {
    let found = SYSTEM_CALLS.binary_search_by_key(&number, |(known, ..)| *known);
    found.map_or("UNCONTROLLED", |at| SYSTEM_CALLS[at].2)
}
