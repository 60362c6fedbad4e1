/** Backends: queues, utilisation and service, as the backends themselves count. */
import { COUNT, QUANTILE_COLOURS, RATE, SECONDS, SHARE, WORDS } from './panels';
import { coloured, grid, legend, lines, number, rows, thresholds } from './panels';
import { assemble } from './dashboard';

const BACKEND = '{backend=~"$stub"}';

/** Waiting and service quantiles of all backends together. */
function quantiles(title: string, description: string, metric: string) {
  const panel = lines(
    title,
    description,
    SECONDS,
    ...QUANTILE_COLOURS.map(([quantile, name]) => ({
      expr: `max(component_quantile:${metric}:rate15s{quantile="${quantile}"})`,
      legend: name,
    })),
  );
  QUANTILE_COLOURS.forEach(([, name, colour]) => coloured(panel, name, colour));
  return panel;
}

function utilisation() {
  const panel = lines(
    'Utilisation, by backend',
    'The share of the last 15 s that each backend was serving; the mean is dashed. An even mean with uneven lines is load that was spread badly.',
    SHARE,
    { expr: `backend:herdlab_backend_busy_seconds:rate15s${BACKEND}`, legend: '{{backend}}' },
    { expr: `avg(backend:herdlab_backend_busy_seconds:rate15s${BACKEND})`, legend: 'mean' },
  )
    .max(1)
    .legend(legend('none'));
  return coloured(panel, 'mean', 'text', true);
}

function fullest() {
  const panel = lines(
    'Fullest, mean and emptiest backend',
    'Requests in flight. A herd: the fullest far above the mean, the emptiest at zero.',
    COUNT,
    { expr: `max(herdlab_backend_in_flight${BACKEND})`, legend: 'fullest' },
    { expr: `avg(herdlab_backend_in_flight${BACKEND})`, legend: 'mean' },
    { expr: `min(herdlab_backend_in_flight${BACKEND})`, legend: 'emptiest' },
  );
  coloured(panel, 'fullest', 'red');
  coloured(panel, 'mean', 'blue');
  return coloured(panel, 'emptiest', 'green');
}

function each() {
  const by = (expr: string) => `max by (backend) (${expr})`;
  return grid(
    'Each backend',
    'The last 15 s. Waiting is the time in the queue, without service.',
    ['backend'],
    [
      { heading: 'Speed', expr: by(`herdlab_backend_speed${BACKEND}`), unit: WORDS },
      { heading: 'In flight', expr: by(`herdlab_backend_in_flight${BACKEND}`), unit: COUNT },
      { heading: 'Utilisation', expr: by(`backend:herdlab_backend_busy_seconds:rate15s${BACKEND}`), unit: SHARE },
      { heading: 'Served', expr: by(`backend:herdlab_backend_requests:rate15s${BACKEND}`), unit: RATE },
      { heading: 'Mean service', expr: by(`backend:herdlab_backend_service_seconds:mean15s${BACKEND}`), unit: SECONDS },
      { heading: 'Mean waiting', expr: by(`backend:herdlab_backend_wait_seconds:mean15s${BACKEND}`), unit: SECONDS },
      {
        heading: 'p99 waiting',
        expr: by('backend_quantile:herdlab_backend_wait_seconds:rate15s{quantile="0.99",backend=~"$stub"}'),
        unit: SECONDS,
      },
    ],
  );
}

export function backends() {
  return assemble(
    'herdlab-backends',
    'Backends',
    'Each backend is one queue with one server: how full, how busy, how long the wait.',
    [{ name: 'stub', label: 'Backend', metric: 'herdlab_backend_speed', of: 'backend' }],
    [
      [
        number('Backends', 'Backends that answer Prometheus.', WORDS, `count(herdlab_backend_speed${BACKEND})`),
        0,
        0,
        3,
        3,
      ],
      [
        number(
          'Utilisation',
          "Mean share of the time that the backends were serving. The plan's ρ, if all is well.",
          SHARE,
          `avg(backend:herdlab_backend_busy_seconds:rate15s${BACKEND})`,
        )
          .decimals(1)
          .thresholds(thresholds('text', [0.95, 'orange'], [0.99, 'red'])),
        3,
        0,
        4,
        3,
      ],
      [
        number(
          'Served',
          'Requests served per second, over the backends chosen.',
          RATE,
          `sum(backend:herdlab_backend_requests:rate15s${BACKEND})`,
        ),
        7,
        0,
        4,
        3,
      ],
      [
        number(
          'Mean waiting',
          'Mean time in the queue over the backends chosen, each counted alike.',
          SECONDS,
          `avg(backend:herdlab_backend_wait_seconds:mean15s${BACKEND})`,
        ),
        11,
        0,
        4,
        3,
      ],
      [
        number(
          'Refused or cancelled',
          'Requests per second that were not served to the end.',
          RATE,
          `sum(rate(herdlab_backend_requests_total{outcome!="served",backend=~"$stub"}[15s])) or vector(0)`,
        ).thresholds(thresholds('green', [0.01, 'red'])),
        15,
        0,
        5,
        3,
      ],
      [
        number(
          'Lateness p99',
          'How late responses left, against the instant that the service law gave. The verdict allows a twentieth of a unit.',
          SECONDS,
          'max(component_quantile:herdlab_backend_lateness_seconds:rate15s{quantile="0.99"})',
        ),
        20,
        0,
        4,
        3,
      ],
      [
        rows(
          'Requests in flight, by backend',
          'Queued or in service, as each backend counts them; brighter is more.',
          COUNT,
          {
            expr: `max by (backend) (herdlab_backend_in_flight${BACKEND})`,
            legend: '{{backend}}',
          },
        ),
        0,
        3,
        16,
        9,
      ],
      [utilisation(), 16, 3, 8, 9],
      [fullest(), 0, 12, 8, 8],
      [
        quantiles(
          'Waiting time',
          'Time in the queue, over all backends: the cost of load that is spread badly.',
          'herdlab_backend_wait_seconds',
        ),
        8,
        12,
        8,
        8,
      ],
      [
        quantiles(
          'Service time',
          'Time in service, over all backends: the service law. It does not change when the algorithm does.',
          'herdlab_backend_service_seconds',
        ),
        16,
        12,
        8,
        8,
      ],
      [each(), 0, 20, 24, 12],
      [
        lines(
          'Requests served per second, by backend',
          'Equal backends are served equal shares, if the algorithm spreads well.',
          RATE,
          {
            expr: `backend:herdlab_backend_requests:rate15s${BACKEND}`,
            legend: '{{backend}}',
          },
        ).legend(legend('none')),
        0,
        32,
        12,
        7,
      ],
      [
        lines(
          'Requests per second, by outcome',
          'Served, refused (a fault was asked for) and cancelled (the proxy went away).',
          RATE,
          {
            expr: `sum by (outcome) (rate(herdlab_backend_requests_total${BACKEND}[$__rate_interval]))`,
            legend: '{{outcome}}',
          },
        ),
        12,
        32,
        12,
        7,
      ],
    ],
  );
}
