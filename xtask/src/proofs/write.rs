//! What statements of `fuzz-prove` write: places, channels that store, and channels that hand over.

use super::control::Act;
use super::model::*;
use super::number::{Fraction, Gone, Sure};
use super::step::{After, Machine, Part, judged, moved};
use super::value::{Datum, Here, State};

/// Whether a value is one of a type.
fn fits(kind: &Kind, datum: &Datum) -> bool {
    match (kind, datum) {
        (Kind::Range(low, high), Datum::Num(n)) => n.is_between(*low, *high),
        (Kind::Array(_, Some((low, high))), Datum::Many(items)) => {
            items.iter().all(|n| n.is_between(*low, *high))
        }
        _ => true,
    }
}

impl Here<'_> {
    /// The number in a place.
    pub fn read(&self, place: &Place) -> Sure<Fraction> {
        match place {
            Place::Var(v) => self.num(&Num::Var(*v), false),
            Place::Element(v, at) => self.num(&Num::Element(*v, Box::new(at.clone())), false),
            Place::Record(_) => Err(Gone::Lost),
        }
    }

    /// The state with a number in a place, and whether it is in its range.
    pub fn written(&self, place: &Place, n: Fraction) -> Sure<(State, bool)> {
        let mut next = self.state.clone();
        let fits = self.write(&mut next, place, Datum::Num(n))?;
        Ok((next, fits))
    }

    fn write(&self, next: &mut State, place: &Place, datum: Datum) -> Sure<bool> {
        let kind = |v: Var| &self.system.variables[v].kind;
        match (place, datum) {
            (Place::Var(v), datum) => {
                next.data[*v] = datum;
                Ok(fits(kind(*v), &next.data[*v]))
            }
            (Place::Element(v, at), Datum::Num(n)) => {
                let at = self.place(*v, at)?;
                let Datum::Many(items) = &mut next.data[*v] else { return Err(Gone::Lost) };
                items[at] = n;
                let Kind::Array(_, element) = kind(*v) else { return Err(Gone::Lost) };
                Ok(element.is_none_or(|(low, high)| n.is_between(low, high)))
            }
            _ => Err(Gone::Lost),
        }
    }

    /// All assignments at once.
    pub fn assigned(&self, pairs: &[(Place, Value)]) -> Sure<(State, bool)> {
        let (mut next, mut all_fit) = (self.state.clone(), true);
        for (place, value) in pairs {
            if let (Place::Record(to), Value::Record(from)) = (place, value) {
                for (to, from) in self.system.fields(to).into_iter().zip(self.system.fields(from)) {
                    next.data[to] = self.state.data[from].clone();
                }
                continue;
            }
            let datum = self.datum(place, value)?;
            all_fit &= self.write(&mut next, place, datum)?;
        }
        Ok((next, all_fit))
    }

    fn datum(&self, place: &Place, value: &Value) -> Sure<Datum> {
        let is_real = |v: Var| self.system.variables[v].kind == Kind::Real;
        let exact = matches!(place, Place::Var(v) if is_real(*v));
        Ok(match value {
            Value::Num(e) => Datum::Num(self.num(e, exact)?),
            Value::Test(t) => Datum::Bool(self.test(t, 1)?),
            Value::Named(n) => Datum::Num(Fraction::int(*n as i64)),
            Value::Array(from) => self.array(place, *from)?,
            Value::List(l) => Datum::Many(self.seq(l)?),
            Value::Record(_) => return Err(Gone::Lost),
        })
    }

    /// A whole array. One with other indices has no place in this one.
    fn array(&self, place: &Place, from: Var) -> Sure<Datum> {
        let bounds = |v: Var| match self.system.variables[v].kind {
            Kind::Array(bounds, _) => Some(bounds),
            _ => None,
        };
        match place {
            Place::Var(to) if bounds(*to) == bounds(from) => Ok(self.state.data[from].clone()),
            _ => Err(Gone::Void),
        }
    }

    /// The state with these messages in a channel.
    fn refilled(&self, Chan(v, at): &Chan, items: Vec<Fraction>) -> Sure<State> {
        let mut next = self.state.clone();
        match (&mut next.data[*v], at) {
            (Datum::Many(old), None) => *old = items,
            (Datum::Rows(rows), Some(at)) => rows[self.place(*v, at)?] = items,
            _ => return Err(Gone::Lost),
        }
        Ok(next)
    }
}

impl Machine<'_> {
    fn channel(&self, c: &Chan) -> Sure<(Capacity, i64, i64)> {
        match self.system.variables[c.0].kind {
            Kind::Channel(capacity, low, high) => Ok((capacity, low, high)),
            Kind::Channels(_, capacity, low, high) => Ok((capacity, low, high)),
            _ => Err(Gone::Lost),
        }
    }

    pub(super) fn send(&self, c: &Chan, e: &Num, here: Here) -> Sure<After> {
        let (capacity, low, high) = self.channel(c)?;
        let (items, message) = (here.messages(c)?, here.num(e, false));
        if matches!(capacity, Capacity::Some(size) if items.len() >= size) {
            let fine = matches!(message, Ok(n) if n.is_between(low, high));
            return Ok(After { uncertain: !fine, ..After::default() });
        }
        let message = message?;
        let states = vec![here.refilled(c, [items, &[message]].concat())?];
        Ok(After { states, error: !message.is_between(low, high), ..After::default() })
    }

    pub(super) fn receive(&self, c: &Chan, place: &Place, here: Here) -> Sure<After> {
        let Some((first, rest)) = here.messages(c)?.split_first() else {
            let uncertain = matches!(place, Place::Element(v, at) if here.place(*v, at).is_err());
            return Ok(After { uncertain, ..After::default() });
        };
        let (mut next, fits) = here.written(place, *first)?;
        // The channel last: a message is never put into the channel that it comes from.
        let rest = here.refilled(c, rest.to_vec())?;
        next.data[c.0] = rest.data[c.0].clone();
        Ok(After { states: vec![next], error: !fits, ..After::default() })
    }

    /// Sender and receiver in one step.
    pub(super) fn pair_steps(&self, from: Part, to: Part, state: &State) -> Sure<After> {
        let of = |lazy: bool| self.handed(from, to, state, lazy);
        judged(of(false), of(true))
    }

    fn handed(&self, from: Part, to: Part, state: &State, lazy: bool) -> Sure<After> {
        let is_there = |part: Part| state.places[self.seat(part)] == self.edge(part).from;
        let ready = |part: Part| match &self.edge(part).act {
            Act::When(c, _) => self.at(state, part.index, lazy).test(c, 1),
            _ => Ok(true),
        };
        if !is_there(from) || !is_there(to) || !ready(from)? || !ready(to)? {
            return Ok(After::default());
        }
        let (Some(Statement::Send(c, e)), Some(Statement::Receive(d, place))) =
            (self.communication(from), self.communication(to))
        else {
            return Err(Gone::Lost);
        };
        let [sender, receiver] = [from, to].map(|part| self.at(state, part.index, lazy));
        let channel = |here: &Here, c: &Chan| c.1.as_ref().map(|at| here.place(c.0, at)).transpose();
        if channel(&sender, c)? != channel(&receiver, d)? {
            return Ok(After::default());
        }
        let (_, low, high) = self.channel(c)?;
        let message = sender.num(e, false)?;
        let (next, fits) = receiver.written(place, message)?;
        let next = moved(next, self.seat(from), self.edge(from).to);
        let states = vec![moved(next, self.seat(to), self.edge(to).to)];
        Ok(After { states, error: !fits || !message.is_between(low, high), ..After::default() })
    }

    /// One side alone does nothing; it may be said to fail if something in it has no value, or if
    /// its message is outside of its range.
    pub(super) fn alone(&self, part: Part, state: &State) -> After {
        let here = self.at(state, part.index, true);
        let guard = match &self.edge(part).act {
            Act::When(c, _) => here.test(c, 1),
            _ => Ok(true),
        };
        let is_there = state.places[self.seat(part)] == self.edge(part).from;
        let uncertain = is_there && guard != Ok(false) && (guard.is_err() || !self.is_sound(part, here));
        After { uncertain, ..After::default() }
    }

    fn is_sound(&self, part: Part, here: Here) -> bool {
        match self.communication(part) {
            Some(Statement::Send(c, e)) => {
                let (low, high) = self.channel(c).map_or((0, 0), |(_, low, high)| (low, high));
                let message = here.num(e, false);
                here.messages(c).is_ok() && message.is_ok_and(|n| n.is_between(low, high))
            }
            Some(Statement::Receive(c, place)) => {
                let inside = match place {
                    Place::Element(v, at) => here.place(*v, at).is_ok(),
                    _ => true,
                };
                here.messages(c).is_ok() && inside
            }
            _ => true,
        }
    }
}
