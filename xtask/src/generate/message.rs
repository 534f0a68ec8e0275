//! Sends, receives, polls and probes.

use super::features::Feature;
use super::scope::{Channel, Kind, Scope, Signature, Spot, fits};
use super::{Generator, Site};
use crate::program::{Expr, Field, Place, Receive, Stmt, Type};

impl Generator {
    /// A send or a receive on some channel that the statement can see.
    pub(super) fn exchange(&mut self, site: &Site) -> Option<Stmt> {
        let alias = self.has(Feature::Aliases) && self.rng.chance(50);
        let alias = if alias { self.some_channel(&site.scope, |channel| channel.variable) } else { None };
        let channel = alias.or_else(|| self.some_channel(&site.scope, |_| true))?;
        if self.rng.chance(50) { self.send(site, &channel) } else { self.receive(site, &channel) }
    }

    pub(super) fn send(&mut self, site: &Site, channel: &Channel) -> Option<Stmt> {
        let arguments = self.arguments(&site.scope, &channel.signature)?;
        let sorted = !channel.signature.rendezvous && self.may(Feature::Sorted, 15);
        // pan compares before it cuts a value to its field.
        let arguments = if sorted { arguments.into_iter().map(small).collect() } else { arguments };
        let tagged = self.rng.chance(20);
        Some(Stmt::Send(self.channel_place(&site.scope, channel), sorted, arguments, tagged))
    }

    fn arguments(&mut self, scope: &Scope, signature: &Signature) -> Option<Vec<Expr>> {
        signature.fields.iter().map(|kind| self.argument(scope, kind, true)).collect()
    }

    /// A value of this kind; in a message only channels that outlive every process.
    pub(super) fn argument(&mut self, scope: &Scope, kind: &Kind, message: bool) -> Option<Expr> {
        match kind {
            Kind::Scalar(Type::Mtype(subtype)) => Some(self.member(subtype)),
            Kind::Scalar(Type::Bool) if self.rng.chance(50) => Some(Expr::Number(self.rng.between(0, 1))),
            Kind::Scalar(Type::Bool) => Some(Expr::Unary("!", Box::new(self.condition(scope, 1)))),
            Kind::Scalar(_) if self.rng.chance(60) => Some(self.constant()),
            Kind::Scalar(_) => {
                let bound = Expr::Number(self.rng.between(2, 4));
                Some(Expr::binary("%", self.number(scope, 1), bound))
            }
            Kind::Channel(signature) => {
                let escapes = self.has(Feature::Escapes);
                let fit: Vec<Channel> = scope.channels_of(signature).into_iter().cloned().collect();
                let fit: Vec<Channel> =
                    fit.into_iter().filter(|channel| channel.global || escapes || !message).collect();
                let channel = self.rng.pick(&fit)?.clone();
                Some(Expr::Read(self.channel_place(scope, &channel)))
            }
            Kind::Record(name) => Some(Expr::variable(&self.record_variable(scope, name)?)),
        }
    }

    fn record_variable(&mut self, scope: &Scope, record: &str) -> Option<String> {
        let fit: Vec<String> =
            scope.records.iter().filter(|(_, ty)| ty == record).map(|(name, _)| name.clone()).collect();
        self.rng.pick(&fit).cloned()
    }

    pub(super) fn receive(&mut self, site: &Site, channel: &Channel) -> Option<Stmt> {
        let buffered = !channel.signature.rendezvous;
        let copies = if channel.variable && self.has(Feature::Aliases) { 50 } else { 12 };
        let form = Receive {
            random: self.may(Feature::Random, 20),
            copy: buffered && self.may(Feature::Copy, copies),
        };
        let fields = self.fields(&site.scope, &channel.signature, true)?;
        // With an index that the message changes, pan would undo the receive on another channel.
        let place = self.channel_place(&Scope::default(), channel);
        Some(Stmt::Receive(place, form, fields))
    }

    /// Arguments of a receive or poll; no variable occurs twice, not even inside eval: pan
    /// evaluates that again to undo.
    pub(super) fn fields(&mut self, scope: &Scope, signature: &Signature, store: bool) -> Option<Vec<Field>> {
        let mut used: Vec<String> = Vec::new();
        signature.fields.iter().map(|kind| self.one_field(scope, kind, store, &mut used)).collect()
    }

    fn one_field(
        &mut self,
        scope: &Scope,
        kind: &Kind,
        store: bool,
        used: &mut Vec<String>,
    ) -> Option<Field> {
        match kind {
            Kind::Scalar(ty) => Some(self.scalar_field(scope, ty, store, used)),
            Kind::Channel(signature) => {
                let fit = scope.channels_of(signature).into_iter().filter(|channel| channel.variable);
                let fit: Vec<String> = fit.map(|channel| channel.name.clone()).collect();
                let fresh = self.rng.pick(&fit).filter(|name| !used.contains(name)).cloned();
                Some(match fresh {
                    Some(name) if self.rng.chance(80) => {
                        used.push(name.clone());
                        Field::Into(Place::name(&name))
                    }
                    _ => Field::Ignore,
                })
            }
            Kind::Record(name) => {
                let variable = self.record_variable(scope, name).filter(|name| !used.contains(name))?;
                used.push(variable.clone());
                Some(Field::Into(Place::name(&variable)))
            }
        }
    }

    fn scalar_field(&mut self, scope: &Scope, ty: &Type, store: bool, used: &mut Vec<String>) -> Field {
        let constant = match ty {
            Type::Mtype(subtype) => self.member(subtype),
            _ => Expr::Number(self.rng.between(0, 2)),
        };
        match self.rng.below(10) {
            0 | 1 => Field::Match(constant),
            2 if self.has(Feature::Eval) => match self.numeric_plain(scope, used) {
                Some(name) => {
                    let value = Expr::variable(&name);
                    used.push(name);
                    Field::Eval(value)
                }
                None => Field::Eval(constant),
            },
            3 => Field::Ignore,
            _ => match self.target(scope, ty, used) {
                Some(place) if store || self.rng.chance(50) => Field::Into(place),
                _ => Field::Ignore,
            },
        }
    }

    fn numeric_plain(&mut self, scope: &Scope, used: &[String]) -> Option<String> {
        let fit = |spot: &&Spot| {
            spot.readable
                && spot.is_plain()
                && !matches!(spot.ty, Type::Mtype(_))
                && !used.contains(&spot.root().to_owned())
        };
        let names: Vec<String> = scope.spots.iter().filter(fit).map(|spot| spot.root().to_owned()).collect();
        self.rng.pick(&names).cloned()
    }

    /// Where a field of type `ty` can be received into, with constant indices only.
    fn target(&mut self, scope: &Scope, ty: &Type, used: &mut Vec<String>) -> Option<Place> {
        let symbolic = matches!(ty, Type::Mtype(_));
        let fit = |spot: &&Spot| {
            spot.writable
                && spot.readable
                && !used.contains(&spot.root().to_owned())
                && if symbolic || matches!(spot.ty, Type::Mtype(_)) {
                    spot.ty == *ty
                } else {
                    fits(ty, &spot.ty)
                }
        };
        let candidates: Vec<Spot> = scope.spots.iter().filter(fit).cloned().collect();
        let spot = self.rng.pick(&candidates)?.clone();
        used.push(spot.root().to_owned());
        Some(spot.place(&mut |size| Expr::Number(self.rng.between(0, i64::from(size) - 1))))
    }

    /// A test on channels: a probe or a poll.
    pub(super) fn channel_test(&mut self, scope: &Scope) -> Option<Expr> {
        let polling = self.may(Feature::Poll, 40);
        let channel = self.some_channel(scope, |channel| !polling || !channel.signature.rendezvous)?;
        let place = self.channel_place(scope, &channel);
        let records = channel.signature.fields.iter().any(|kind| matches!(kind, Kind::Record(_)));
        if polling && !records {
            let fields = self.fields(scope, &channel.signature, false)?;
            return Some(Expr::Poll(place, self.may(Feature::Random, 30), fields));
        }
        if !self.has(Feature::Probes) {
            return None;
        }
        let probe = *self.rng.pick(&["empty", "nempty", "full", "nfull"])?;
        Some(Expr::Probe(probe, place))
    }

    /// A send or receive that cannot block, for d_step: `if :: nfull(c) -> c!… :: else fi`.
    pub(super) fn safe_exchange(&mut self, site: &Site) -> Option<Stmt> {
        let channel = self
            .some_channel(&site.scope, |channel| !channel.signature.rendezvous && channel.size.is_none())?;
        let name = Place::name(&channel.name);
        let (probe, action) = if self.rng.chance(50) {
            ("nfull", self.send(site, &channel)?)
        } else {
            let mut used = Vec::new();
            let kinds = channel.signature.fields.clone();
            let fields: Option<Vec<Field>> = kinds
                .iter()
                .map(|kind| match kind {
                    Kind::Scalar(ty) => {
                        Some(self.target(&site.scope, ty, &mut used).map_or(Field::Ignore, Field::Into))
                    }
                    other => self.one_field(&site.scope, other, true, &mut used),
                })
                .collect();
            let form = Receive { random: false, copy: false };
            ("nempty", Stmt::Receive(name.clone(), form, fields?))
        };
        let guard = Stmt::Guard(Expr::Probe(probe, name));
        Some(Stmt::If(vec![vec![guard, action], vec![Stmt::Else, Stmt::Skip]]))
    }
}

/// A computed value made to fit any field.
fn small(argument: Expr) -> Expr {
    match argument {
        Expr::Binary("%", ..) => Expr::binary("&", argument, Expr::Number(3)),
        other => other,
    }
}
