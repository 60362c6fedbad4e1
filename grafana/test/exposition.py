"""Prometheus' two exposition formats, as far as the fake system needs them: text 0.0.4, and delimited protobuf, which
alone carries native histograms. Standard library only."""

import bisect
import math
import struct

TEXT = "text/plain; version=0.0.4; charset=utf-8"
PROTOBUF = "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited"
SCHEMA = 5  # of native histograms: buckets grow by 2^(1/32), 2.2 %


class Histogram:
    """Counts of observed values, kept as both kinds of histogram; values in seconds, above 0."""

    def __init__(self, bounds):
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.native = {}
        self.sum = 0.0

    def observe(self, value):
        self.counts[bisect.bisect_left(self.bounds, value)] += 1
        self.sum += value
        index = math.ceil(math.log2(value) * 2**SCHEMA)
        self.native[index] = self.native.get(index, 0) + 1

    def cumulative(self):
        total = 0
        for bound, count in zip(self.bounds + [math.inf], self.counts):
            total += count
            yield bound, total


def _number(value):
    return "+Inf" if value == math.inf else repr(float(value))


def _labels(labels):
    return "{%s}" % ",".join('%s="%s"' % pair for pair in labels.items()) if labels else ""


def text(families):
    """Families (name, type, help, [(labels, number or Histogram)]) as text."""
    out = []
    for name, kind, help_text, samples in families:
        out += ["# HELP %s %s" % (name, help_text), "# TYPE %s %s" % (name, kind)]
        for labels, value in samples:
            if isinstance(value, Histogram):
                for bound, count in value.cumulative():
                    out.append("%s_bucket%s %d" % (name, _labels({**labels, "le": _number(bound)}), count))
                out.append("%s_sum%s %s" % (name, _labels(labels), _number(value.sum)))
                out.append("%s_count%s %d" % (name, _labels(labels), sum(value.counts)))
            else:
                out.append("%s%s %s" % (name, _labels(labels), _number(value)))
    return ("\n".join(out) + "\n").encode()


def _varint(value):
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes(out) + bytes([value])


def _zigzag(value):
    return _varint(value * 2 if value >= 0 else -value * 2 - 1)


def _field(number, payload, wire):
    return _varint(number << 3 | wire) + payload


def _bytes(number, payload):
    return _field(number, _varint(len(payload)) + payload, 2)


def _double(number, value):
    return _field(number, struct.pack("<d", value), 1)


def _native(buckets):
    """Spans of neighbouring buckets, and the differences between their counts."""
    out, last, previous = b"", None, 0
    indices, spans = sorted(buckets), []
    for index in indices:
        if last is not None and index == last + 1:
            spans[-1][1] += 1
        else:
            spans.append([index - (0 if last is None else last + 1), 1])
        last = index
    for offset, length in spans:
        out += _bytes(12, _field(1, _zigzag(offset), 0) + _field(2, _varint(length), 0))
    for index in indices:
        out += _field(13, _zigzag(buckets[index] - previous), 0)
        previous = buckets[index]
    return _field(5, _zigzag(SCHEMA), 0) + _double(6, 1e-9) + _field(7, _varint(0), 0) + out


def protobuf(families):
    """The same as a sequence of io.prometheus.client.MetricFamily, each with its length before it."""
    kinds = {"counter": 0, "gauge": 1, "histogram": 4}
    out = b""
    for name, kind, help_text, samples in families:
        family = _bytes(1, name.encode()) + _bytes(2, help_text.encode()) + _field(3, _varint(kinds[kind]), 0)
        for labels, value in samples:
            metric = b"".join(_bytes(1, _bytes(1, k.encode()) + _bytes(2, v.encode())) for k, v in labels.items())
            if isinstance(value, Histogram):
                body = _field(1, _varint(sum(value.counts)), 0) + _double(2, value.sum)
                for bound, count in value.cumulative():
                    body += _bytes(3, _field(1, _varint(count), 0) + _double(2, bound))
                metric += _bytes(7, body + _native(value.native))
            else:
                metric += _bytes(2 if kind == "gauge" else 3, _double(1, value))
            family += _bytes(4, metric)
        out += _varint(len(family)) + family
    return out
