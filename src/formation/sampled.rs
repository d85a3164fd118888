//! A curve rebuilt from its points: stretches of polynomials, each as wide as the curve is smooth.

use glam::DVec3;

use super::chebyshev::{Fitter, Panel, SAMPLES};
use super::curve::Curve;
use super::error::FormationError;
use super::source::{Domain, PointSource};

/// A corner is narrowed down to this part of the stretch it was found in.
const NARROWEST: f64 = 1.0 / (1_u64 << 30) as f64;

/// How the sampled part ends.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum End {
    /// The curve goes on; more can be sampled.
    Open,
    /// The end of the range.
    Range,
    /// Beyond it the curve stands still.
    Still,
    /// Not finite from this s on.
    Broken(f64),
}

/// A curve in u = |s − start|, from 0 up.
pub(crate) struct Sampled {
    fitter: Fitter,
    panels: Vec<Panel>,
    from: f64,
    side: f64,
    extent: Option<f64>,
    closed: bool,
    end: End,
    /// Meters, near enough for planning.
    length: f64,
    /// Next step of the parameter, on a curve without end.
    step: f64,
    /// Stretches that may still be asked for.
    budget: usize,
    params: Vec<f64>,
    points: Vec<DVec3>,
}

impl Sampled {
    /// A curve of which nothing is known yet; `n` places will be set on it.
    pub(crate) fn new(domain: Domain, n: usize) -> Result<Self, FormationError> {
        let (from, side, extent) = domain.parts()?;
        Ok(Self {
            fitter: Fitter::new(),
            panels: Vec::new(),
            from,
            side,
            extent,
            closed: domain.closed,
            end: if extent.is_some() { End::Range } else { End::Open },
            length: 0.0,
            step: 1.0,
            budget: 8192 + 8 * n,
            params: Vec::new(),
            points: Vec::new(),
        })
    }

    pub(crate) fn is_bounded(&self) -> bool {
        self.extent.is_some()
    }

    pub(crate) fn end(&self) -> End {
        self.end
    }

    /// Samples the whole range.
    pub(crate) fn sample_all(&mut self, source: &mut dyn PointSource) -> Result<(), FormationError> {
        let extent = self.extent.unwrap_or(0.0);
        if extent == 0.0 {
            let point = self.ask_one(source)?;
            self.panels = vec![Panel::straight(0.0, 1.0, point, point)];
            return Ok(());
        }
        self.refine(source, 0.0, extent)
    }

    /// Samples on until about `need` meters are known, or the curve ends.
    pub(crate) fn sample_to(&mut self, source: &mut dyn PointSource, need: f64) -> Result<(), FormationError> {
        let mut still = 0;
        while self.end == End::Open && self.length < need * (1.0 + 1e-9) + 1e-12 {
            let at = self.reached();
            let step = self.affordable(source, at, 4.0 * (need - self.length))?;
            let before = self.length;
            self.refine(source, at, at + step)?;
            let added = self.length - before;
            still = if added <= 1e-12 * need { still + 1 } else { 0 };
            if still >= 24 || (still > 0 && step > 1e15) {
                self.end = End::Still;
            }
            let rest = need - self.length;
            self.step =
                if added > 0.0 { (1.05 * rest * step / added).clamp(0.25 * step, 4.0 * step) } else { 4.0 * step };
        }
        Ok(())
    }

    /// Says why the curve ended if that is not plain from the error.
    pub(crate) fn explain(&self, error: FormationError) -> FormationError {
        match (error, self.end) {
            (FormationError::Capacity { .. }, End::Broken(s)) => FormationError::NotFinite { s },
            (FormationError::Capacity { asked, capacity, length, spacing, measure, .. }, End::Still) => {
                let note = "; the curve stands still from there on".to_owned();
                FormationError::Capacity { asked, capacity, length, spacing, measure, note }
            }
            (error, _) => error,
        }
    }

    fn reached(&self) -> f64 {
        self.panels.last().map_or(0.0, |panel| panel.to)
    }

    /// A step from `at` that is not far longer than needed, so that a curve in kilometers is not sampled for meters.
    fn affordable(&mut self, source: &mut dyn PointSource, at: f64, enough: f64) -> Result<f64, FormationError> {
        let mut step = self.step;
        for _ in 0..40 {
            self.params.clear();
            self.fitter.ask(at, at + step, &mut self.params);
            self.ask(source)?;
            let nodes = &self.points[..SAMPLES - 2];
            let seen: f64 = nodes.windows(2).map(|pair| pair[0].distance(pair[1])).sum();
            if !seen.is_finite() || seen <= enough {
                break;
            }
            step *= (enough / seen).clamp(1.0 / 64.0, 0.5);
        }
        Ok(step)
    }

    /// Splits [from, to] until every stretch is smooth, all stretches of one round in one call.
    fn refine(&mut self, source: &mut dyn PointSource, from: f64, to: f64) -> Result<(), FormationError> {
        let narrowest = (to - from) * NARROWEST;
        let mut pending = vec![(from, to)];
        let mut done: Vec<Panel> = Vec::new();
        while !pending.is_empty() {
            let Some(left) = self.budget.checked_sub(pending.len()) else {
                return Err(self.never_smooth(pending[0].0));
            };
            self.budget = left;
            self.params.clear();
            for &(a, b) in &pending {
                self.fitter.ask(a, b, &mut self.params);
            }
            self.ask(source)?;
            let mut next = Vec::new();
            for (&(a, b), samples) in pending.iter().zip(self.points.chunks_exact(SAMPLES)) {
                let mid = 0.5 * (a + b);
                let narrow = b - a <= narrowest || mid <= a || mid >= b;
                if let Some(bad) = samples.iter().position(|point| !point.is_finite()) {
                    // What lies beyond is of no use; look for the last finite point before it.
                    done.retain(|panel| panel.to <= a);
                    next.extend([(a, mid), (mid, b)].into_iter().filter(|_| !narrow));
                    let at = [b, a][usize::from(bad == 0)];
                    self.end = [self.end, End::Broken(self.from + self.side * at)][usize::from(narrow)];
                    break;
                }
                match self.fitter.fit(a, b, samples) {
                    Some(panel) => done.push(panel),
                    None if narrow => done.push(Panel::straight(a, b, samples[0], samples[SAMPLES - 3])),
                    None => next.extend([(a, mid), (mid, b)]),
                }
            }
            pending = next;
        }
        done.sort_by(|one, other| one.from.total_cmp(&other.from));
        self.length += done.iter().map(|panel| panel.length).sum::<f64>();
        self.panels.append(&mut done);
        if self.panels.is_empty() {
            return Err(FormationError::NotFinite { s: self.from });
        }
        Ok(())
    }

    fn never_smooth(&self, u: f64) -> FormationError {
        FormationError::Curve(format!(
            "the curve never gets smooth near s = {}: it jumps or wiggles more finely than it can be followed; \
             the same s must always give the same point",
            self.from + self.side * u
        ))
    }

    fn ask_one(&mut self, source: &mut dyn PointSource) -> Result<DVec3, FormationError> {
        self.params.clear();
        self.params.push(0.0);
        self.ask(source)?;
        let point = self.points[0];
        if point.is_finite() { Ok(point) } else { Err(FormationError::NotFinite { s: self.from }) }
    }

    /// Points at `params`, given as u.
    fn ask(&mut self, source: &mut dyn PointSource) -> Result<(), FormationError> {
        for u in &mut self.params {
            *u = self.from + self.side * *u;
        }
        self.points.clear();
        source.points(&self.params, &mut self.points).map_err(FormationError::Source)?;
        if self.points.len() == self.params.len() {
            return Ok(());
        }
        Err(FormationError::Curve(format!(
            "the curve was asked for {} points and gave {}",
            self.params.len(),
            self.points.len()
        )))
    }

    fn panel(&self, u: f64) -> &Panel {
        let next = self.panels.partition_point(|panel| panel.to <= u);
        &self.panels[next.min(self.panels.len() - 1)]
    }
}

impl Curve for Sampled {
    fn point(&self, s: f64) -> DVec3 {
        self.panel(s).point(s)
    }
    fn derivative(&self, s: f64) -> DVec3 {
        self.panel(s).derivative(s)
    }
    fn range(&self) -> (f64, Option<f64>) {
        let to = if self.extent == Some(0.0) { 0.0 } else { self.reached() };
        (0.0, Some(to))
    }
    fn stretch(&self, s: f64) -> f64 {
        self.panel(s).to
    }
    fn closed(&self) -> bool {
        self.closed
    }
}
