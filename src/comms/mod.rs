//! The simulated command network: messages to agents take time, get lost, are acknowledged and sent again.
//!
//! Every message is numbered. Each send of it is lost with the link's probability or arrives after the link's delay; the
//! receiver hears a number once and acknowledges every copy over the same link. The sender waits max(`timeout`, SRTT +
//! 4·RTTVAR) (Jacobson 1988; RFC 6298, eq. 2.3), since a shorter wait would send again to everybody who is merely slow (E09),
//! sends again up to `retries` times, and then takes the agent for offline until it hears of it again. Acknowledgements name
//! the send that they answer, so a round trip is measured also after a retry (RFC 7323, 4; Karn's rule is not needed).
//!
//! All luck is a function of seed, agent, message and send. Times are simulated seconds.

mod link;
mod round_trip;

pub use link::{Arrival, Delivery, Link, LinkState, Network, Offline, Status};
pub use round_trip::RoundTrip;
