/** Instrument: may the numbers be trusted? The generator's, the backends' and the machine's own errors. */
import { BYTES, COUNT, RATE, SECONDS, SHARE, WORDS } from './panels';
import { coloured, grid, legend, lines, number, thresholds, words } from './panels';
import { assemble } from './dashboard';

const PROCESS = '{component=~"$component",instance=~"$instance"}';
const LIMIT = { expr: 'max(herdlab_unit_seconds) / 20', legend: 'limit' };

/** p50 and p99 of an error of the instrument, beside the verdict's limit: a twentieth of a unit. */
function error(title: string, description: string, metric: string) {
  const panel = lines(
    title,
    description,
    SECONDS,
    { expr: `max(component_quantile:${metric}:rate15s{quantile="0.5"})`, legend: 'p50' },
    { expr: `max(component_quantile:${metric}:rate15s{quantile="0.99"})`, legend: 'p99' },
    LIMIT,
  );
  coloured(panel, 'p50', 'blue');
  coloured(panel, 'p99', 'red');
  return coloured(panel, 'limit', 'text', true);
}

function stalls() {
  const panel = lines(
    'Stalls, by process',
    'The longest time that a process stood still since the last scrape: scheduler, collector, or a host that took the processor away. The limit is a twentieth of a unit.',
    SECONDS,
    { expr: `max by (component, instance) (herdlab_stall_seconds${PROCESS})`, legend: '{{component}} {{instance}}' },
    LIMIT,
  ).legend(legend('none'));
  return coloured(panel, 'limit', 'text', true);
}

function schedule() {
  const panel = lines(
    'Schedule',
    'Requests per second: planned, due by the schedule, and sent. They lie on each other, or the load is not the one planned.',
    RATE,
    { expr: 'sum(herdlab_loadgen_rate)', legend: 'planned' },
    { expr: 'sum(rate(herdlab_loadgen_scheduled_total[$__rate_interval]))', legend: 'due' },
    { expr: 'sum(rate(herdlab_loadgen_sent_total[$__rate_interval]))', legend: 'sent' },
  );
  return coloured(panel, 'planned', 'text', true);
}

function threeCounts() {
  return lines(
    'In flight, counted three times',
    'By the generator, by the proxies and by the backends: each sees a little more than the next. A count that leaves the others behind has leaked.',
    COUNT,
    { expr: 'sum(herdlab_loadgen_in_flight)', legend: 'generator' },
    { expr: 'sum(herdlab_proxy_in_flight)', legend: 'proxies' },
    { expr: 'sum(herdlab_backend_in_flight)', legend: 'backends' },
  );
}

function accounting() {
  return grid(
    'Accounting of the finished phases',
    'Sent is completed plus each failure by cause, or requests are unaccounted for.',
    ['outcome'],
    [{ heading: 'Requests', expr: 'max by (outcome) (herdlab_phase_requests_total)', unit: COUNT }],
  );
}

function alerts() {
  return grid(
    'What fires',
    'Alerts that fire now. docs/dashboards.md says what to do about each.',
    ['alertname', 'severity', 'component', 'instance'],
    [
      {
        heading: 'State',
        expr: 'max by (alertname, severity, component, instance, algorithm, view) (ALERTS{alertstate="firing"})',
        unit: WORDS,
        mappings: words('', 'text', 'fires', 'red'),
      },
    ],
  );
}

/** CPU, collector and memory: one line for each process. */
function resource(title: string, description: string, unit: string, expr: string) {
  return lines(title, description, unit, { expr, legend: '{{component}} {{instance}}' }).legend(legend('none'));
}

export function instrument() {
  return assemble(
    'herdlab-instrument',
    'Instrument',
    'Whether the numbers may be trusted: send lag, lateness, stalls, processor, collector, accounting.',
    [
      { name: 'component', label: 'Component', metric: 'herdlab_build_info' },
      { name: 'instance', label: 'Instance', metric: 'herdlab_build_info{component=~"$component"}' },
    ],
    [
      [number('Processes', 'Processes that answer Prometheus.', WORDS, `count(up${PROCESS} == 1)`), 0, 0, 3, 3],
      [
        number(
          'Verdict',
          'Whether the last finished phase of every algorithm and view is valid.',
          WORDS,
          'min(herdlab_run_valid)',
        ).mappings(words('not all valid', 'red', 'all valid', 'green')),
        3,
        0,
        4,
        3,
      ],
      [
        number(
          'Send lag / limit',
          "p99 of the send lag over the verdict's limit, a twentieth of a unit.",
          SHARE,
          'max(component_quantile:herdlab_loadgen_send_lag_seconds:rate15s{quantile="0.99"}) / (max(herdlab_unit_seconds) / 20)',
        )
          .decimals(0)
          .thresholds(thresholds('green', [0.5, 'orange'], [1, 'red'])),
        7,
        0,
        3,
        3,
      ],
      [
        number(
          'Lateness / limit',
          "p99 of the backends' lateness over the verdict's limit, a twentieth of a unit.",
          SHARE,
          'max(component_quantile:herdlab_backend_lateness_seconds:rate15s{quantile="0.99"}) / (max(herdlab_unit_seconds) / 20)',
        )
          .decimals(0)
          .thresholds(thresholds('green', [0.5, 'orange'], [1, 'red'])),
        10,
        0,
        3,
        3,
      ],
      [
        number(
          'Longest stall',
          'The longest that any process stood still in the last minute.',
          SECONDS,
          'max(max_over_time(herdlab_stall_seconds[1m]))',
        ),
        13,
        0,
        3,
        3,
      ],
      [
        number(
          'Behind schedule',
          'How far the generator that is furthest behind lags its schedule.',
          SECONDS,
          'max(instance:herdlab_loadgen_behind:seconds)',
        ).thresholds(thresholds('green', [0.05, 'orange'], [0.1, 'red'])),
        16,
        0,
        3,
        3,
      ],
      [
        number(
          'Samples lost',
          "Samples that metrics threads dropped in the last five minutes. The run's own results are not touched.",
          WORDS,
          'sum(increase(herdlab_samples_lost_total[5m]))',
        )
          .decimals(0)
          .thresholds(thresholds('green', [1, 'red'])),
        19,
        0,
        3,
        3,
      ],
      [
        number(
          'Alerts',
          'Alerts that fire now; those that only inform are not counted.',
          WORDS,
          'count(ALERTS{alertstate="firing",severity!="info"}) or vector(0)',
        ).thresholds(thresholds('green', [1, 'red'])),
        22,
        0,
        2,
        3,
      ],
      [
        error(
          'Send lag',
          'Actual send minus intended send. It counts as latency, so above the limit the generator measures itself.',
          'herdlab_loadgen_send_lag_seconds',
        ),
        0,
        3,
        8,
        6,
      ],
      [
        error(
          'Lateness',
          'The instant at which a response left minus the one that the service law gave.',
          'herdlab_backend_lateness_seconds',
        ),
        8,
        3,
        8,
        6,
      ],
      [stalls(), 16, 3, 8, 6],
      [
        resource(
          'CPU, by process',
          'Cores in use. The verdict looks at the whole machine; this is what each process took of it.',
          WORDS,
          `instance:herdlab_process_cpu_seconds:rate15s${PROCESS}`,
        ).axisLabel('cores'),
        0,
        9,
        8,
        6,
      ],
      [
        resource(
          'Collector, by process',
          'Share of the time that the collector stopped the process.',
          SHARE,
          `instance:herdlab_gc_pause_seconds:rate15s${PROCESS}`,
        ),
        8,
        9,
        8,
        6,
      ],
      [
        resource(
          'Memory, by process',
          "In use: the heap, the virtual machine's other areas, and direct buffers.",
          BYTES,
          `max by (component, instance) (herdlab_memory_used_bytes${PROCESS})`,
        ),
        16,
        9,
        8,
        6,
      ],
      [schedule(), 0, 15, 8, 5],
      [threeCounts(), 8, 15, 8, 5],
      [accounting(), 16, 15, 8, 5],
      [alerts(), 0, 20, 12, 8],
      [
        lines(
          'Unaccounted, while it runs',
          'Sent, and neither ended nor in flight. A few for the length of a scrape are two counters read one after the other; a level that stays is lost requests.',
          COUNT,
          {
            expr: 'component:herdlab_loadgen_unaccounted:requests',
            legend: 'requests',
          },
        ).axisSoftMin(-10),
        12,
        20,
        12,
        8,
      ],
      [
        resource(
          'Time to scrape, by process',
          'How long Prometheus took to read a process.',
          SECONDS,
          `max by (component, instance) (scrape_duration_seconds${PROCESS})`,
        ),
        0,
        28,
        8,
        6,
      ],
      [
        resource(
          'Samples per scrape, by process',
          'Series that a process has: bounded labels keep it level.',
          COUNT,
          `max by (component, instance) (scrape_samples_scraped${PROCESS})`,
        ),
        8,
        28,
        8,
        6,
      ],
      [
        grid(
          'Versions',
          'Which build each process is.',
          ['component', 'version', 'instance'],
          [
            {
              heading: 'Up',
              expr: `max by (component, version, instance) (herdlab_build_info${PROCESS})`,
              unit: WORDS,
              mappings: words('no', 'red', 'yes', 'green'),
            },
          ],
        ),
        16,
        28,
        8,
        6,
      ],
    ],
  );
}
