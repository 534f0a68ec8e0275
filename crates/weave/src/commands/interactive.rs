//! The interactive simulator: a line in, a screen out. Works over plain lines, so it can be
//! scripted.

use crate::output::{line, out};
use crate::show::{self, chart, list};
use crate::style::{Style, Tone, cut};
use crate::units::plural;
use std::io::BufRead;
use workbench::executor::{Offer, RunStatus};
use workbench::random::Random;
use workbench::{Failure, Interrupt, Session};

const HELP: &str = "  N      take step number N             b      one step back
  j N    back to the state after step N r [N]  take N random steps
  s      show the state                 t, c   show the run so far: list, chart
  w      show blocked processes         i N    begin in initial state N
  q      quit";

/// A line of the user, understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Take(usize),
    Back,
    Jump(usize),
    Random(usize),
    Begin(usize),
    State,
    Blocked,
    List,
    Chart,
    Help,
    Quit,
}

pub(crate) fn run(
    session: &mut Session<'_>,
    random: &mut Random,
    style: &Style,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    prompt(session, style);
    interrupt.phase(super::AT_PROMPT);
    for input in std::io::stdin().lock().lines() {
        let Ok(input) = input else { break };
        interrupt.phase("simulating");
        if interrupt.is_raised() {
            break;
        }
        match understand(&input) {
            Some(Order::Quit) => break,
            Some(order) => obey(session, random, style, interrupt, order)?,
            None if input.trim().is_empty() => prompt(session, style),
            None => line(&format!("I do not understand `{}`. Commands:\n{HELP}", input.trim())),
        }
        interrupt.phase(super::AT_PROMPT);
    }
    interrupt.phase("simulating");
    Ok(())
}

pub(super) fn understand(input: &str) -> Option<Order> {
    let mut words = input.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    let number = second.map(|w| w.parse::<usize>().ok());
    match (first, number) {
        ("b", None) => Some(Order::Back),
        ("j", Some(Some(n))) => Some(Order::Jump(n)),
        ("r", None) => Some(Order::Random(1)),
        ("r", Some(Some(n))) => Some(Order::Random(n)),
        ("i", Some(Some(n))) => Some(Order::Begin(n)),
        ("s", None) => Some(Order::State),
        ("w", None) => Some(Order::Blocked),
        ("t", None) => Some(Order::List),
        ("c", None) => Some(Order::Chart),
        ("?" | "h" | "help", None) => Some(Order::Help),
        ("q" | "quit" | "exit", None) => Some(Order::Quit),
        (number, None) => number.parse().ok().map(Order::Take),
        _ => None,
    }
}

fn obey(
    session: &mut Session<'_>,
    random: &mut Random,
    style: &Style,
    interrupt: &Interrupt,
    order: Order,
) -> Result<(), Failure> {
    match move_on(session, random, interrupt, order)? {
        None => show_only(session, style, order),
        Some(true) => prompt(session, style),
        Some(false) => line(&nothing_there(session, order)),
    }
    Ok(())
}

/// Makes the run longer or shorter; false if that is not possible, `None` if it leaves the run as
/// it is.
pub(super) fn move_on(
    session: &mut Session<'_>,
    random: &mut Random,
    interrupt: &Interrupt,
    order: Order,
) -> Result<Option<bool>, Failure> {
    let done = match order {
        Order::Take(n) => n > 0 && session.take(n - 1)?,
        Order::Back => session.steps() > 0 && session.back_to(session.steps() - 1)?,
        Order::Jump(n) => session.back_to(n)?,
        Order::Random(n) => {
            session.wander(random, n, &|| !interrupt.is_raised())?;
            true
        }
        Order::Begin(n) => n > 0 && session.begin(n - 1)?,
        Order::State | Order::Blocked | Order::List | Order::Chart | Order::Help | Order::Quit => {
            return Ok(None);
        }
    };
    Ok(Some(done))
}

/// Why the run stays as it is.
pub(super) fn nothing_there(session: &Session<'_>, order: Order) -> String {
    match order {
        Order::Take(n) => format!("There is no step {n}."),
        Order::Begin(_) => format!("There are {} initial states.", session.starts()),
        Order::Jump(n) => format!("The run has {}; there is no step {n}.", plural(session.steps(), "step")),
        _ => "This is the initial state.".to_string(),
    }
}

/// Orders that leave the run as it is.
fn show_only(session: &Session<'_>, style: &Style, order: Order) {
    match order {
        Order::State => out(&show::state(&session.variables())),
        Order::Blocked => blocked(session, style),
        Order::List => out(&list::list(&session.report(), style)),
        Order::Chart => out(&chart::chart(&session.report(), style)),
        Order::Help => line(HELP),
        _ => {}
    }
}

/// Who is not enabled, and what each waits for.
fn blocked(session: &Session<'_>, style: &Style) {
    let report = session.report();
    let enabled: Vec<String> = session.offers().into_iter().map(|offer| offer.who).collect();
    let is_enabled = |who: &str| enabled.iter().any(|e| e == who || e.split(" -> ").any(|one| one == who));
    let waiting = report.waiting.iter().filter(|w| !is_enabled(&report.label(w.actor)));
    waiting.for_each(|w| out(&list::waits(&report, w, style)));
}

/// Where the run stands and what can be done.
fn prompt(session: &Session<'_>, style: &Style) {
    let report = session.report();
    let last = report.steps.last();
    for change in last.into_iter().flat_map(|s| &s.changes) {
        line(&format!("      {} {} -> {}", change.name, change.before, change.after));
    }
    for text in last.into_iter().flat_map(|s| &s.printed) {
        line(&format!("      prints {}", list::quoted(text)));
    }
    if let Some(fault) = last.and_then(|s| s.fault.as_ref()).or(report.failure.as_ref().map(|f| &f.message)) {
        line(&style.paint(Tone::Bad, &format!("      !! {fault}")));
    }
    let offers = session.offers();
    let steps = session.steps();
    match session.status() {
        RunStatus::Deadlock => {
            line(&style.paint(Tone::Bad, &format!("After step {steps}: deadlock, no step is enabled.")))
        }
        RunStatus::Terminated => line(&format!("After step {steps}: the run ends, no step is enabled.")),
        RunStatus::Failed if offers.is_empty() => line(&format!("After step {steps}: the run ends here.")),
        RunStatus::Failed | RunStatus::Enabled => {
            line(&format!("After step {steps}; choose a step (? for help):"))
        }
    }
    if steps == 0 && session.starts() > 1 {
        line(&format!("      ({} initial states; i N begins in another)", session.starts()));
    }
    for (i, offer) in offers.iter().enumerate() {
        let alike = |other: &&Offer| other.who == offer.who && other.statements == offer.statements;
        let several = offers.iter().filter(alike).count() > 1;
        line(&cut(&offer_line(i + 1, offer, several), style.width.max(40)));
    }
}

/// One enabled step; with what it changes, if others look the same.
fn offer_line(number: usize, offer: &Offer, with_changes: bool) -> String {
    let place = offer.statements.first().and_then(|s| s.location.as_ref());
    let place = place.map(|l| format!("line {}  ", l.line)).unwrap_or_default();
    let texts: Vec<&str> = offer.statements.iter().map(|s| s.text.as_str()).collect();
    let fault = offer.fault.as_ref().map(|f| format!("   !! {f}")).unwrap_or_default();
    let changes = offer.changes.iter().filter(|_| with_changes);
    let changes: Vec<String> = changes.map(|c| format!("{} {} -> {}", c.name, c.before, c.after)).collect();
    let changes = if changes.is_empty() { String::new() } else { format!("   {}", changes.join(", ")) };
    format!("  {number:>2}  {}  {place}{}{changes}{fault}", offer.who, texts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let orders = ["3", " b ", "j 12", "r", "r 5", "i 2", "s", "w", "t", "c", "?", "q"].map(understand);
        let expected = [
            Order::Take(3),
            Order::Back,
            Order::Jump(12),
            Order::Random(1),
            Order::Random(5),
            Order::Begin(2),
            Order::State,
            Order::Blocked,
            Order::List,
            Order::Chart,
            Order::Help,
            Order::Quit,
        ];
        assert_eq!(orders, expected.map(Some));
        for wrong in ["", "x", "j", "j x", "-1", "3 4", "b 2"] {
            assert_eq!(understand(wrong), None, "{wrong}");
        }
    }
}
