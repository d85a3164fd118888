//! The registry of what is measured at lines and in areas: id, unit, definition, source.

use crate::measure::MetricInfo;

macro_rules! metrics {
    ($enum:ident, $what:literal; $($name:ident, $id:literal, $unit:literal, $about:literal, $source:literal;)*) => {
        #[doc = $what]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $enum {
            $(#[doc = $about] $name,)*
        }

        impl $enum {
            /// All of them, in the order of lists.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Its entry of the registry.
            pub const fn info(self) -> &'static MetricInfo {
                match self {
                    $(Self::$name => &MetricInfo { id: $id, unit: $unit, about: $about, source: $source },)*
                }
            }

            /// The one of this id.
            pub fn parse(id: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|metric| metric.info().id == id)
            }

            /// Its bit in a set.
            pub const fn bit(self) -> u32 {
                1 << self as u32
            }
        }
    };
}

metrics! { LineMetric, "What is measured at a line.";
    Count, "count", "agents", "N(t): how many passed, both ways; swaying on the line counts once, each lap of a world that wraps anew.", "PedPy compute_n_t";
    Forward, "forward", "agents", "How many of them passed in the positive direction.", "PedPy compute_n_t";
    Backward, "backward", "agents", "How many of them passed in the negative direction.", "PedPy compute_n_t";
    Flow, "flow", "1/s", "Passings per second, from the last one before the window to the last one in it.", "J = ΔN/Δt (PedPy compute_flow)";
    SpecificFlow, "specific_flow", "1/(m s)", "Flow per width of the line.", "J/w";
    Density, "density", "1/m2", "Density of the people whose cells meet the line, weighted by the share of the line in each cell.", "Σ (1/Aᵢ)·(wᵢ/w) (PedPy compute_line_density)";
    Speed, "speed", "m/s", "Speed across the line of the people whose cells meet it, weighted by the share of the line in each cell.", "Σ |vᵢ·n|·(wᵢ/w) (PedPy compute_line_speed)";
    LineFlow, "line_flow", "1/(m s)", "Specific flow from density and speed of the cells at the line.", "Σ |vᵢ·n|·(1/Aᵢ)·(wᵢ/w) (PedPy compute_line_flow)";
}

metrics! { AreaMetric, "What is measured in an area.";
    Count, "count", "agents", "Number of agents inside; who stands on the border is not.", "N";
    Density, "density", "1/m2", "Agents inside per area.", "N/A (PedPy compute_classic_density)";
    Speed, "speed", "m/s", "Mean speed of the agents inside; a gap without any.", "mean ‖v‖ (PedPy compute_mean_speed_per_frame)";
    LaneOrder, "lane_order", "", "Mean over agents inside of ((same − opposite)/(same + opposite))² in their band; 1 is lanes.", "⟨((Nₛ − N_d)/(Nₛ + N_d))²⟩ (Nowak and Schadschneider 2012)";
    VoronoiDensity, "voronoi_density", "1/m2", "Each agent counts with the share of its cell inside, per area.", "Σ (|Vᵢ ∩ M|/|Vᵢ|)/|M| (PedPy compute_voronoi_density)";
    VoronoiSpeed, "voronoi_speed", "m/s", "Mean over the area of the speed of whoever's cell is there.", "Σ |Vᵢ ∩ M|·vᵢ/|M| (PedPy compute_voronoi_speed)";
    Flow, "flow", "1/(m s)", "Specific flow from Voronoi density and Voronoi speed.", "J = ρ·v";
}

impl LineMetric {
    /// Those that need cells.
    pub const OF_CELLS: u32 = Self::Density.bit() | Self::Speed.bit() | Self::LineFlow.bit();
}

impl AreaMetric {
    /// Those that need cells.
    pub const OF_CELLS: u32 = Self::VoronoiDensity.bit() | Self::VoronoiSpeed.bit() | Self::Flow.bit();
}
