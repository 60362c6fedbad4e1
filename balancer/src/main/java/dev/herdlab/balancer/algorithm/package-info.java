/// Every built-in algorithm, and what several of them are made of: load metrics (what a backend
/// costs) and selectors (how costs are used), combined by constructor.
///
/// One short file each. An algorithm is a package-private class with a constant `ALGORITHM`; the
/// list of all stands in [dev.herdlab.balancer.algorithm.BuiltIn] alone.
@NullMarked
package dev.herdlab.balancer.algorithm;

import org.jspecify.annotations.NullMarked;
