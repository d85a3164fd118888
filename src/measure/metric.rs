//! The registry of metrics: id, unit, definition, source.

/// What a metric is, for lists, plots and reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MetricInfo {
    /// Name in scenes, reports and plots.
    pub id: &'static str,
    /// SI unit, empty for pure numbers.
    pub unit: &'static str,
    /// Exact definition in one sentence.
    pub about: &'static str,
    /// Where the definition comes from.
    pub source: &'static str,
}

macro_rules! metrics {
    ($($name:ident, $id:literal, $unit:literal, $about:literal, $source:literal;)*) => {
        /// A native metric of a group.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Metric {
            $(#[doc = $about] $name,)*
        }

        impl Metric {
            /// All metrics, in the order of lists and of [`Values`](super::Values).
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its entry of the registry.
            pub const fn info(self) -> &'static MetricInfo {
                match self {
                    $(Self::$name => &MetricInfo { id: $id, unit: $unit, about: $about, source: $source },)*
                }
            }
        }
    };
}

metrics! {
    SlotError, "slot_error", "m", "Mean distance of the agents from their places.", "mean ‖p − q‖";
    SlotErrorMax, "slot_error_max", "m", "Largest distance of an agent from its place.", "max ‖p − q‖";
    SlotErrorRms, "slot_error_rms", "m", "Root mean square distance of the agents from their places.", "√(Σ‖p − q‖²/n)";
    SpacingError, "spacing_error", "m", "Mean error of the gaps between neighbors in the order of places, against the places' own gaps.", "mean |‖p₂ − p₁‖ − ‖q₂ − q₁‖|";
    SpacingErrorMax, "spacing_error_max", "m", "Largest error of a gap between neighbors in the order of places, against the places' own gap.", "max |g|";
    SpacingErrorRms, "spacing_error_rms", "m", "Root mean square error of the gaps between neighbors in the order of places.", "√(Σg²/n)";
    CrossTrack, "cross_track", "m", "Mean distance of the agents from the line through their place along its heading.", "mean |(p − q)·N|";
    CrossTrackMax, "cross_track_max", "m", "Largest distance of an agent from the line through its place along the place's heading.", "max |(p − q)·N|";
    AlongTrackMax, "along_track_max", "m", "Largest distance by which an agent is ahead of or behind its place, along the place's heading.", "max |(p − q)·T|";
    HeadingError, "heading_error", "rad", "Mean angle between an agent's heading and that of its place.", "mean |wrap(θ − φ)|";
    HeadingErrorMax, "heading_error_max", "rad", "Largest angle between an agent's heading and that of its place.", "max |wrap(θ − φ)|";
    HeadingSd, "heading_sd", "rad", "Circular standard deviation of the headings, each against that of its place.", "√(−2 ln R) of θ − φ (Mardia, eq. 2.3.11)";
    HeadingSpread, "heading_spread", "rad", "Circular standard deviation of the headings themselves.", "√(−2 ln R) of θ (Mardia, eq. 2.3.11)";
    BaseLineTurn, "base_line_turn", "rad", "Angle between the base line of the places and the base line of the agents, at most a right angle.", "weighted principal components, head 1.0, middle 0.9, tail 0.8";
    BaseLineMax, "base_line_max", "m", "Largest distance of an agent from the base line of all.", "max |(p − P₀)×T|";
    Projection, "projection", "", "How much shorter the ranks are along their own direction than they should be; 0 is aligned.", "1 − Σ Δp·û / Σ‖Δq‖, û along Δq";
    Hull, "hull", "m2", "Difference between the area of the convex hull of the agents and that of their places; 0 is aligned.", "|A(p) − A(q)|, monotone chain (Andrew 1979)";
    Disagreement, "disagreement", "", "Share of the agents that are not in the state that most are in.", "1 − max nₛ/n";
    Switching, "switching", "Hz", "Transitions per agent and second, over the last second.", "count/(n·1 s)";
    ShapeError, "shape_error", "m", "Root mean square distance from the places after these are turned and moved as fits best: the error of the shape alone.", "Kabsch, in the plane: angle = atan2(Σ q×p, Σ q·p)";
    MinSeparation, "min_separation", "m", "Smallest distance between the centers of two agents.", "min ‖pᵢ − pⱼ‖";
    NearestNeighbor, "nearest_neighbor", "m", "Mean distance of an agent from the one nearest to it.", "mean over i of min over j of ‖pᵢ − pⱼ‖";
    Groups, "groups", "", "Number of groups that hang together: agents nearer than 2.5 mean nearest-neighbor distances are linked.", "connected components of d < 2.5·d₀";
    LargestGroup, "largest_group", "", "Share of the agents in the largest such group.", "max |C|/n";
    LatticeDeviation, "lattice_deviation", "", "How unequal the distances to the nearest ring of neighbors are; 0 is a perfect lattice.", "Σ(d − d₀)²/((|E| + 1)·d₀²), d ≤ 1.4·d₀, d₀ the mean nearest distance (Olfati-Saber 2006)";
    Elongation, "elongation", "", "How much longer than broad the group is in the plane: the ratio of the variances along and across; 1 is round.", "λ₁/λ₂ of the covariance";
    VelocityMismatch, "velocity_mismatch", "m2/s2", "Mean kinetic energy of the motion against the group's own, per mass.", "½Σ‖v − v̄‖²/n (Olfati-Saber 2006)";
    Collisions, "collisions", "pairs", "Pairs of agents that overlap now.", "‖pᵢ − pⱼ‖ < rᵢ + rⱼ";
    OverlapMax, "overlap_max", "m", "By how much the two that overlap most do; 0 if none do.", "max (rᵢ + rⱼ − ‖pᵢ − pⱼ‖), at least 0";
    TimeToCollisionMin, "time_to_collision_min", "s", "Seconds until the first two touch if all keep their velocity; none within 10 s is a gap.", "min t: ‖d + w·t‖ = rᵢ + rⱼ (Karamouzas 2014, eq. 2)";
    Stuck, "stuck", "agents", "Agents that have wanted to go somewhere for 2 s without getting on; free again after 0.2 m.", "Σ Δp·ŵ < 0.1 m for 2 s, ŵ the way wanted";
    LaneOrder, "lane_order", "", "Mean over agents of ((same − opposite)/(same + opposite))² in their band of 0.6 m along the main axis of walking; 1 is lanes.", "⟨((Nₛ − N_d)/(Nₛ + N_d))²⟩ (Nowak and Schadschneider 2012)";
    Speed, "speed", "m/s", "Mean speed.", "mean ‖v‖";
    SpeedMax, "speed_max", "m/s", "Largest speed.", "max ‖v‖";
    Polarization, "polarization", "", "How much those that move go the same way: 1 all alike, 0 no order.", "|Σ v/‖v‖| / N (Vicsek 1995)";
    Rotation, "rotation", "", "How much those that move go round their center the same way: 1 a mill, 0 none.", "|Σ r̂ × v/‖v‖| / N (Couzin 2002)";
    Extension, "extension", "m", "Root mean square distance from the center of the group.", "√(Σ‖p − p̄‖²/n)";
    ExtensionMax, "extension_max", "m", "Largest distance from the center of the group.", "max ‖p − p̄‖";
    Count, "count", "agents", "Number of agents.", "n";
}

impl Metric {
    /// Number of metrics.
    pub const COUNT: usize = Self::ALL.len();

    /// Its id, as in scenes and reports.
    pub const fn id(self) -> &'static str {
        self.info().id
    }

    /// The metric of this id.
    pub fn parse(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|metric| metric.id() == id)
    }
}

/// A set of metrics: only those are computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MetricSet(u64);

impl MetricSet {
    /// No metric.
    pub const EMPTY: Self = Self(0);
    /// Every metric.
    pub const ALL: Self = Self((1 << Metric::COUNT) - 1);

    /// The set with one more.
    pub const fn with(self, metric: Metric) -> Self {
        Self(self.0 | 1 << metric as u64)
    }

    /// Whether it holds this one.
    pub const fn has(self, metric: Metric) -> bool {
        self.0 & (1 << metric as u64) != 0
    }

    /// Whether it holds any of these.
    pub fn has_any(self, metrics: &[Metric]) -> bool {
        metrics.iter().any(|&metric| self.has(metric))
    }

    /// Both sets together.
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Its metrics, in the order of the registry.
    pub fn iter(self) -> impl Iterator<Item = Metric> {
        Metric::ALL.iter().copied().filter(move |&metric| self.has(metric))
    }
}

impl FromIterator<Metric> for MetricSet {
    fn from_iter<I: IntoIterator<Item = Metric>>(metrics: I) -> Self {
        metrics.into_iter().fold(Self::EMPTY, Self::with)
    }
}
