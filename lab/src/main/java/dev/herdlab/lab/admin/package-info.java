/// The admin port of a component: the one way to ask it and to tell it something, from another
/// process. JSON over HTTP; docs/admin-api.md has every resource.
@NullMarked
package dev.herdlab.lab.admin;

import org.jspecify.annotations.NullMarked;
