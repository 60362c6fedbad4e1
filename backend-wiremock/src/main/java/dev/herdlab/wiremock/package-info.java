/// WireMock as the stub's second engine: a user's mappings behind the queue of the stub.
@NullMarked
package dev.herdlab.wiremock;

import org.jspecify.annotations.NullMarked;
