//! A rendezvous channel keeps nothing: every pair of operations on it commutes.

use crate::definitions::*;
use objects::rendezvous::{Half, Operation, dependent};

struct Rendezvous;

impl Kind for Rendezvous {
    type Value = ();
    type Call = (Operation, u8);
    type Output = Result<u8, usize>;

    fn values(&self) -> Vec<()> {
        vec![()]
    }

    fn calls(&self) -> Vec<(Operation, u8)> {
        use Operation::*;
        [Handshake, Length, Empty, Full].into_iter().flat_map(|o| (0..3).map(move |m| (o, m))).collect()
    }

    fn perform(&self, call: &(Operation, u8), _: &()) -> Option<(Result<u8, usize>, ())> {
        Some((call.0.perform(call.1), ()))
    }
}

#[test]
fn all_operations_commute() {
    check(&Rendezvous, |a, b, ()| dependent(a.0, b.0));
    let calls = Rendezvous.calls();
    assert!(calls.iter().all(|a| calls.iter().all(|b| !dependent(a.0, b.0))));
}

#[test]
fn an_offer_meets_an_acceptance() {
    assert!(Half::Offer.meets(Half::Accept) && Half::Accept.meets(Half::Offer));
    assert!(!Half::Offer.meets(Half::Offer) && !Half::Accept.meets(Half::Accept));
}
