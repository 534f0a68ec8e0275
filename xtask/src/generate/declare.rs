//! Declarations: types, global variables, channels, macros, inlines.

use super::features::Feature;
use super::scope::{Channel, Kind, Scope, Signature, Spot};
use super::{Generator, Site};
use crate::program::{Decl, Expr, Init, Inline, Mtype, Record, Type};

impl Generator {
    pub(super) fn globals(&mut self) {
        self.mtypes();
        self.macros();
        self.records();
        for _ in 0..self.rng.between(1, 4) {
            let declaration = self.variable("g", true);
            self.publish(declaration);
        }
        for _ in 0..self.rng.between(0, 3) {
            self.global_channel();
        }
        self.named_conditions();
        self.inlines();
    }

    fn mtypes(&mut self) {
        if self.may(Feature::Mtypes, 45) {
            self.mtype(None);
        }
        if self.may(Feature::NamedMtypes, 15) {
            self.mtype(Some("colour".to_owned()));
        }
    }

    fn mtype(&mut self, subtype: Option<String>) {
        let members: Vec<String> = (0..self.rng.between(2, 4)).map(|_| self.fresh("M")).collect();
        self.members.push((subtype.clone(), members.clone()));
        self.program.mtypes.push(Mtype { subtype, members });
    }

    fn macros(&mut self) {
        if self.may(Feature::Macros, 25) {
            let value = self.rng.between(1, 3);
            let name = self.fresh("N");
            self.program.defines.push((name, value.to_string()));
        }
    }

    fn records(&mut self) {
        if !self.may(Feature::Records, 30) {
            return;
        }
        for _ in 0..self.rng.between(1, 2) {
            let inner = self.program.records.last().map(|record| record.name.clone());
            let name = self.fresh("R");
            let mut fields: Vec<Decl> = (0..self.rng.between(1, 2)).map(|_| self.field()).collect();
            if let Some(inner) = inner.filter(|_| self.rng.chance(60)) {
                let size = self.rng.chance(40).then_some(2);
                fields.push(Decl { size, ..plain(Type::Record(inner), &self.fresh("f")) });
            }
            self.program.records.push(Record { name, fields });
        }
    }

    fn field(&mut self) -> Decl {
        let ty = self.scalar_type();
        let size = self.may(Feature::Arrays, 30).then_some(2).filter(|_| !matches!(ty, Type::Unsigned(_)));
        let ty = if size.is_some() { ty.into_element() } else { ty };
        Decl { size, ..plain(ty, &self.fresh("f")) }
    }

    pub(super) fn scalar_type(&mut self) -> Type {
        let mut types = vec![(4, Type::Byte), (3, Type::Bit), (2, Type::Bool), (1, Type::Pid)];
        if self.has(Feature::Wide) {
            types.extend([(2, Type::Short), (2, Type::Int)]);
        }
        if self.has(Feature::Unsigned) {
            types.push((2, Type::Unsigned(self.rng.between(1, 5) as u32)));
        }
        types.extend(self.members.iter().map(|(subtype, _)| (3, Type::Mtype(subtype.clone()))));
        let weights: Vec<(usize, usize)> =
            types.iter().enumerate().map(|(at, (weight, _))| (*weight, at)).collect();
        let chosen = self.rng.weighted(&weights).unwrap_or(0);
        types.swap_remove(chosen).1
    }

    /// A variable with, sometimes, an initial value; a global's is a constant.
    pub(super) fn variable(&mut self, stem: &str, global: bool) -> Decl {
        let name = self.fresh(stem);
        if !self.program.records.is_empty() && self.rng.chance(25) {
            let at = self.rng.below(self.program.records.len());
            let ty = Type::Record(self.program.records[at].name.clone());
            return Decl { size: self.may(Feature::Arrays, 25).then_some(2), ..plain(ty, &name) };
        }
        let ty = self.scalar_type();
        let array = self.may(Feature::Arrays, 22) && !matches!(ty, Type::Unsigned(_));
        let size = array.then(|| self.rng.between(2, 3) as u32);
        let ty = if array { ty.into_element() } else { ty };
        let mut init = Init::None;
        if self.rng.chance(40) {
            init = match (&ty, size) {
                (Type::Mtype(subtype), _) => Init::Value(self.member(subtype)),
                (_, Some(size)) if self.rng.chance(50) => {
                    Init::List((0..size).map(|_| self.rng.between(0, 1)).collect())
                }
                (Type::Bit | Type::Bool | Type::Unsigned(1), _) => {
                    Init::Value(Expr::Number(self.rng.between(0, 1)))
                }
                _ => Init::Value(Expr::Number(self.rng.between(0, 3))),
            };
        }
        let whole = matches!(ty, Type::Byte | Type::Short | Type::Int);
        let hidden = global && whole && size.is_none() && self.may(Feature::Hidden, 6);
        Decl { hidden, ty, name, size, init }
    }

    /// Declares a global variable and makes it visible.
    fn publish(&mut self, declaration: Decl) {
        let mut scope = std::mem::take(&mut self.global);
        self.enter(&declaration, &mut scope);
        self.global = scope;
        self.program.globals.push(declaration);
    }

    /// Makes a declared variable visible in `scope`.
    pub(super) fn enter(&self, declaration: &Decl, scope: &mut Scope) {
        let root = vec![(declaration.name.clone(), declaration.size)];
        match &declaration.ty {
            Type::Record(name) => {
                if declaration.size.is_none() {
                    scope.records.push((declaration.name.clone(), name.clone()));
                }
                self.enter_record(name, root, scope);
            }
            ty => {
                if declaration.size.is_some() && !matches!(ty, Type::Mtype(_)) {
                    scope.arrays.push(declaration.name.clone());
                }
                let readable = !declaration.hidden;
                scope.spots.push(Spot { path: root, ty: ty.clone(), writable: true, readable });
            }
        }
    }

    fn enter_record(&self, name: &str, path: Vec<(String, Option<u32>)>, scope: &mut Scope) {
        let Some(record) = self.program.records.iter().find(|record| record.name == name) else {
            return;
        };
        for field in &record.fields {
            let mut path = path.clone();
            path.push((field.name.clone(), field.size));
            match &field.ty {
                Type::Record(inner) => self.enter_record(inner, path, scope),
                ty => scope.spots.push(Spot { path, ty: ty.clone(), writable: true, readable: true }),
            }
        }
    }

    pub(super) fn signature(&mut self) -> Option<Signature> {
        // pan does not compile with both rendezvous and priorities.
        let rendezvous = match (
            self.has(Feature::Rendezvous) && !self.has(Feature::Priorities),
            self.has(Feature::Buffered),
        ) {
            (true, true) => self.rng.chance(45),
            (true, false) => true,
            (false, true) => false,
            (false, false) => return None,
        };
        let fields = (0..self.rng.weighted(&[(5, 1), (4, 2), (1, 3)])?).map(|_| self.field_kind()).collect();
        Some(Signature { rendezvous, fields })
    }

    fn field_kind(&mut self) -> Kind {
        if self.may(Feature::ChannelMessages, 12) {
            let known: Vec<Signature> =
                self.global.channels.iter().map(|channel| channel.signature.clone()).collect();
            if let Some(signature) = self.rng.pick(&known) {
                return Kind::Channel(signature.clone());
            }
        }
        // SPIN takes neither arrays of records nor unsigned fields in a message.
        let flat = |record: &&Record| {
            !record.fields.iter().any(|field| matches!(field.ty, Type::Record(_) | Type::Unsigned(_)))
        };
        let flat: Vec<String> =
            self.program.records.iter().filter(flat).map(|record| record.name.clone()).collect();
        if let Some(record) = self.rng.pick(&flat).filter(|_| self.rng.chance(15)) {
            return Kind::Record(record.clone());
        }
        match self.scalar_type() {
            Type::Unsigned(_) => Kind::Scalar(Type::Byte),
            ty => Kind::Scalar(ty.into_element()),
        }
    }

    /// The declaration of a channel with this signature.
    pub(super) fn channel(&mut self, name: &str, size: Option<u32>, signature: &Signature) -> Decl {
        let capacity =
            if signature.rendezvous { 0 } else { self.rng.weighted(&[(5, 1), (3, 2), (1, 3)]).unwrap_or(1) };
        let fields = signature.fields.iter().map(type_of).collect();
        Decl { size, init: Init::Channel(capacity, fields), ..plain(Type::Chan, name) }
    }

    fn global_channel(&mut self) {
        let known = self.global.channels.last().map(|channel| channel.signature.clone());
        // Channels that can stand for each other make channel parameters and messages interesting.
        let again = known.filter(|_| self.rng.chance(35));
        let Some(signature) = again.or_else(|| self.signature()) else {
            return;
        };
        let name = self.fresh("c");
        let size = self.may(Feature::ChannelArrays, 20).then_some(2);
        let declaration = self.channel(&name, size, &signature);
        self.program.globals.push(declaration);
        self.global.channels.push(Channel {
            name,
            size,
            signature,
            global: true,
            variable: false,
            exclusive: false,
        });
    }

    /// A macro that stands for a condition over globals.
    fn named_conditions(&mut self) {
        if self.may(Feature::Macros, 15) && !self.global.spots.is_empty() {
            let scope = self.global.clone();
            let condition = self.condition(&scope, 1);
            let name = self.fresh("COND");
            self.program.defines.push((name.clone(), format!("{condition}")));
            self.conditions.push(name);
        }
    }

    fn inlines(&mut self) {
        if !self.may(Feature::Inlines, 25) {
            return;
        }
        let name = self.fresh("inl");
        let parameters: Vec<String> = (0..self.rng.between(0, 2)).map(|_| self.fresh("a")).collect();
        let mut site = Site::of_inline(self.global.clone());
        for parameter in &parameters {
            site.scope.spots.push(Spot::scalar(parameter, Type::Byte));
        }
        self.budget = 4;
        let body = self.harmless_sequence(&mut site, 3);
        self.inlines.push((name.clone(), parameters.len()));
        self.program.inlines.push(Inline { name, parameters, body });
    }
}

impl Site {
    fn of_inline(scope: Scope) -> Site {
        Site {
            scope,
            atomic: true,
            d_step: true,
            in_loop: false,
            repeated: true,
            labels: Vec::new(),
            inline: true,
            depth: 1,
            process: String::new(),
        }
    }
}

impl Type {
    /// The type for elements of arrays and fields of messages: pan keeps bits there in whole bytes,
    /// uncut.
    pub(super) fn into_element(self) -> Type {
        if matches!(self, Type::Bit | Type::Bool) { Type::Byte } else { self }
    }
}

/// A declaration without size and value.
pub(super) fn plain(ty: Type, name: &str) -> Decl {
    Decl { hidden: false, ty, name: name.to_owned(), size: None, init: Init::None }
}

pub(super) fn type_of(kind: &Kind) -> Type {
    match kind {
        Kind::Scalar(ty) => ty.clone(),
        Kind::Channel(_) => Type::Chan,
        Kind::Record(name) => Type::Record(name.clone()),
    }
}

/// The declared constant macros, as expressions.
pub(super) fn constant_macros(defines: &[(String, String)]) -> Vec<Expr> {
    let constants = defines.iter().filter(|(name, _)| name.starts_with('N'));
    constants.map(|(name, _)| Expr::word(name)).collect()
}
