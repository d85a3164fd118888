//! Which instructions of the machine the kernels use. They change the speed and no bit of a result: see `sums`.

use fearless_simd::Level;

/// A set of vector instructions that the machine has.
#[derive(Clone, Copy, Debug)]
pub struct Lanes(pub(in crate::sim) Level);

impl Default for Lanes {
    /// The widest there is.
    fn default() -> Self {
        Self(Level::new())
    }
}

impl Lanes {
    /// All sets that this machine has and the kernels are built for, narrowest first, with their names: for tests and
    /// benchmarks, which compare them.
    #[must_use]
    pub fn all() -> Vec<(&'static str, Self)> {
        let level = Level::new();
        let mut all = Vec::new();
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        {
            all.extend(level.as_sse2().map(|token| ("SSE2", Self(Level::Sse2(token)))));
            all.extend(level.as_sse4_2().map(|token| ("SSE4.2", Self(Level::Sse4_2(token)))));
            all.extend(level.as_avx2().map(|token| ("AVX2", Self(Level::Avx2(token)))));
            all.extend(level.as_avx512().map(|token| ("AVX-512", Self(Level::Avx512(token)))));
        }
        if all.is_empty() {
            all.push(("default", Self(level)));
        }
        all
    }
}
