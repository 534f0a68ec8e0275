//! The interactive simulator: a line in, a screen out. Works over plain lines, so it can be scripted.

use crate::output::{line, out};
use crate::show::{self, chart, list};
use crate::style::{Style, Tone};
use std::io::BufRead;
use workbench::random::Random;
use workbench::simulate::{Offer, Standing};
use workbench::{Failure, Interrupt, Session};

const HELP: &str = "  N      take move number N             b      one step back
  j N    jump to the state after step N r [N]  take N random steps
  s      show the state                 t, c   show the run so far: list, chart
  q      quit";

/// A line of the user, understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Take(usize),
    Back,
    Jump(usize),
    Random(usize),
    State,
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

fn understand(input: &str) -> Option<Order> {
    let mut words = input.split_whitespace();
    let (first, second) = (words.next()?, words.next());
    let number = second.map(|w| w.parse::<usize>().ok());
    match (first, number) {
        ("b", None) => Some(Order::Back),
        ("j", Some(Some(n))) => Some(Order::Jump(n)),
        ("r", None) => Some(Order::Random(1)),
        ("r", Some(Some(n))) => Some(Order::Random(n)),
        ("s", None) => Some(Order::State),
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
    let done = match order {
        Order::Take(n) => n > 0 && session.take(n - 1),
        Order::Back => session.steps() > 0 && session.back_to(session.steps() - 1),
        Order::Jump(n) => session.back_to(n),
        Order::Random(n) => {
            session.wander(random, n, &|| !interrupt.is_raised());
            true
        }
        Order::State | Order::List | Order::Chart | Order::Help | Order::Quit => {
            return show_only(session, style, order);
        }
    };
    match (done, order) {
        (true, _) => prompt(session, style),
        (false, Order::Take(n)) => line(&format!("There is no move {n}.")),
        (false, Order::Jump(n)) => {
            line(&format!("The run has {} steps; there is no step {n}.", session.steps()))
        }
        (false, _) => line("This is the initial state."),
    }
    Ok(())
}

/// Orders that leave the run as it is.
fn show_only(session: &Session<'_>, style: &Style, order: Order) -> Result<(), Failure> {
    match order {
        Order::State => out(&show::state(&session.variables())),
        Order::List => out(&list::list(&session.trace()?, style)),
        Order::Chart => out(&chart::chart(&session.trace()?, style)),
        Order::Help => line(HELP),
        _ => {}
    }
    Ok(())
}

/// Where the run stands and what can be done.
fn prompt(session: &Session<'_>, style: &Style) {
    let last = session.trace().ok().and_then(|t| t.steps.last().cloned());
    for change in last.iter().flat_map(|s| &s.changes) {
        line(&format!("      {} {} -> {}", change.name, change.before, change.after));
    }
    for text in last.iter().flat_map(|s| &s.printed) {
        line(&format!("      prints {}", list::quoted(text)));
    }
    if let Some(fault) = last.and_then(|s| s.fault) {
        line(&style.paint(Tone::Bad, &format!("      !! {fault}")));
    }
    let offers = session.offers();
    let steps = session.steps();
    match session.standing() {
        Standing::Deadlock => {
            line(&style.paint(Tone::Bad, &format!("After step {steps}: deadlock, nobody can move.")))
        }
        Standing::End => line(&format!("After step {steps}: every process is at a valid end.")),
        Standing::Fault if offers.is_empty() => line(&format!("After step {steps}: the run ends here.")),
        Standing::Fault | Standing::Moves => {
            line(&format!("After step {steps}; choose a move (? for help):"))
        }
    }
    for (i, offer) in offers.iter().enumerate() {
        line(&offer_line(i + 1, offer));
    }
}

fn offer_line(number: usize, offer: &Offer) -> String {
    let place = offer.statements.first().and_then(|s| s.location.as_ref());
    let place = place.map(|l| format!("line {}  ", l.line)).unwrap_or_default();
    let texts: Vec<&str> = offer.statements.iter().map(|s| s.text.as_str()).collect();
    let fault = offer.fault.as_ref().map(|f| format!("   !! {f}")).unwrap_or_default();
    format!("  {number:>2}  {}  {place}{}{fault}", offer.who, texts.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_understood() {
        let orders = ["3", " b ", "j 12", "r", "r 5", "s", "t", "c", "?", "q"].map(understand);
        let expected = [
            Order::Take(3),
            Order::Back,
            Order::Jump(12),
            Order::Random(1),
            Order::Random(5),
            Order::State,
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
