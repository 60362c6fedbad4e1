/// Results as text, JSON and HTML: what a run gave, for a terminal, a program and a browser.
@NullMarked
package dev.herdlab.lab.report;

import org.jspecify.annotations.NullMarked;
