/// Experiments as written: files, settings and environment variables, bound once to validated
/// records.
@NullMarked
package dev.herdlab.lab.config;

import org.jspecify.annotations.NullMarked;
