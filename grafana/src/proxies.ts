/** Proxies: what each proxy does, what it knows, and how wrong that is. */
import { COUNT, RATE, SECONDS, SHARE, WORDS } from './panels';
import { coloured, grid, legend, lines, number, rows, thresholds, words } from './panels';
import { assemble } from './dashboard';

const PROXY = '{proxy=~"$proxy"}';

/** One line for each proxy. */
function byProxy(title: string, description: string, unit: string, expr: string) {
  return lines(title, description, unit, { expr, legend: 'proxy {{proxy}}' }).legend(legend('names'));
}

function latency() {
  return byProxy(
    'Latency p99 at the proxy',
    "From the request's head to the response's last byte, by proxy, over the last 15 s. Without the generator's send lag and the way to the proxy.",
    SECONDS,
    'proxy_quantile:herdlab_proxy_latency_seconds:rate15s{quantile="0.99",proxy=~"$proxy"}',
  );
}

function viewAge() {
  const panel = lines(
    'Age of the view',
    'How old the counts are that each proxy picks by; the dashed line is the refresh interval. In step: all took the same copy, and all herd to the same backend.',
    SECONDS,
    { expr: `max by (proxy) (herdlab_proxy_view_age_seconds${PROXY})`, legend: 'proxy {{proxy}}' },
    { expr: `max(herdlab_proxy_view_refresh_seconds${PROXY})`, legend: 'refresh interval' },
  ).legend(legend('names'));
  return coloured(panel, 'refresh interval', 'text', true);
}

function running() {
  return grid(
    'What each proxy runs',
    'As the proxies themselves say. All should say the same; while a switch is on its way, they may not.',
    ['proxy', 'algorithm', 'view', 'phase'],
    [
      {
        heading: 'Running',
        expr: `max by (proxy, algorithm, view, phase) (herdlab_proxy_algorithm_info${PROXY} == 1)`,
        unit: WORDS,
        mappings: words('no', 'text', 'yes', 'green'),
      },
    ],
  );
}

export function proxies() {
  return assemble(
    'herdlab-proxies',
    'Proxies',
    'Each proxy: its requests, its picks, its view of the backends and how far that is from the truth.',
    [
      { name: 'proxy', label: 'Proxy', metric: 'herdlab_proxy_backends' },
      { name: 'backend', label: 'Backend', metric: 'herdlab_proxy_in_flight' },
      { name: 'algorithm', label: 'Algorithm', metric: 'herdlab_proxy_algorithm_info' },
      { name: 'view', label: 'View', metric: 'herdlab_proxy_algorithm_info' },
    ],
    [
      [
        number('Proxies', 'Proxies that answer Prometheus.', WORDS, `count(herdlab_proxy_backends${PROXY})`),
        0,
        0,
        3,
        3,
      ],
      [
        number(
          'Backends known',
          'Backends that the proxy which knows the fewest can pick.',
          WORDS,
          `min(herdlab_proxy_backends${PROXY})`,
        ).thresholds(thresholds('red', [1, 'text'])),
        3,
        0,
        3,
        3,
      ],
      [
        number(
          'Requests',
          'Requests per second over the proxies chosen.',
          RATE,
          `sum(proxy:herdlab_proxy_requests:rate15s${PROXY})`,
        ),
        6,
        0,
        4,
        3,
      ],
      [
        number(
          'Failed',
          'Share of the requests of the last 15 s that failed, worst proxy. Cancelled by the client is no failure.',
          SHARE,
          `max(proxy:herdlab_proxy_requests:failed_ratio15s${PROXY})`,
        )
          .decimals(2)
          .thresholds(thresholds('green', [0.001, 'red'])),
        10,
        0,
        3,
        3,
      ],
      [
        number(
          'View age / refresh',
          'Age of the oldest view, in refresh intervals. Above 2 the experiment is not what it says. Zero if views are always fresh.',
          WORDS,
          `max(max by (instance, proxy) (herdlab_proxy_view_age_seconds${PROXY}) / (max by (instance, proxy) (herdlab_proxy_view_refresh_seconds${PROXY}) > 0)) or vector(0)`,
        )
          .decimals(2)
          .thresholds(thresholds('green', [1.5, 'orange'], [2, 'red'])),
        13,
        0,
        4,
        3,
      ],
      [
        number(
          'Board',
          'Whether every process reaches the board that holds the common counts: memory, or Redis.',
          WORDS,
          'min(herdlab_proxy_board_connected)',
        ).mappings(words('disconnected', 'red', 'connected', 'green')),
        17,
        0,
        4,
        3,
      ],
      [
        number(
          'Pick p99',
          "From a request's arrival to its pick, slowest proxy.",
          SECONDS,
          `max(proxy_quantile:herdlab_proxy_pick_seconds:rate15s{quantile="0.99",proxy=~"$proxy"})`,
        ),
        21,
        0,
        3,
        3,
      ],
      [
        byProxy(
          'Requests per second, by proxy',
          'The generator sends each request to a proxy picked at random: the lines lie together.',
          RATE,
          `proxy:herdlab_proxy_requests:rate15s${PROXY}`,
        ),
        0,
        3,
        8,
        6,
      ],
      [latency(), 8, 3, 8, 6],
      [
        byProxy(
          'In flight, by proxy',
          'Picked and not completed, by proxy.',
          COUNT,
          'sum by (proxy) (herdlab_proxy_in_flight{proxy=~"$proxy",backend=~"$backend"})',
        ),
        16,
        3,
        8,
        6,
      ],
      [viewAge(), 0, 9, 8, 6],
      [
        byProxy(
          'Error of the view',
          "How far a proxy's view is from the true counts, in requests, mean over the backends. A local view misses the other proxies' requests; a stale one misses what came since.",
          COUNT,
          `proxy:herdlab_proxy_view_in_flight:error_mean${PROXY}`,
        ),
        8,
        9,
        8,
        6,
      ],
      [
        byProxy(
          'Time to pick, p99',
          'From arrival to pick, by proxy.',
          SECONDS,
          'proxy_quantile:herdlab_proxy_pick_seconds:rate15s{quantile="0.99",proxy=~"$proxy"}',
        ),
        16,
        9,
        8,
        6,
      ],
      [
        rows('True counts: in flight, by backend', 'Summed over all proxies.', COUNT, {
          expr: 'sum by (backend) (herdlab_proxy_in_flight{backend=~"$backend"})',
          legend: '{{backend}}',
        }),
        0,
        15,
        12,
        5,
      ],
      [
        rows(
          'The view: what the proxies believe, by backend',
          'The mean of the views of the proxies chosen. Choose one proxy, and lay its view beside the true counts.',
          COUNT,
          {
            expr: 'avg by (backend) (herdlab_proxy_view_in_flight{proxy=~"$proxy",backend=~"$backend"})',
            legend: '{{backend}}',
          },
        ),
        12,
        15,
        12,
        5,
      ],
      [running(), 0, 20, 12, 7],
      [
        lines('Latency p99 by algorithm and view', 'At the proxies chosen, whatever ran in the time shown.', SECONDS, {
          expr:
            'histogram_quantile(0.99, sum by (algorithm, view) (rate(herdlab_proxy_latency_seconds{proxy=~"$proxy",algorithm=~"$algorithm",view=~"$view"}[$__rate_interval])))' +
            ' or histogram_quantile(0.99, sum by (algorithm, view, le) (rate(herdlab_proxy_latency_seconds_bucket{proxy=~"$proxy",algorithm=~"$algorithm",view=~"$view"}[$__rate_interval])))',
          legend: '{{algorithm}} · {{view}}',
        }).legend(legend('names')),
        12,
        20,
        12,
        7,
      ],
      [
        lines('Share of the picks, by backend', 'Of the picks of the proxies chosen.', SHARE, {
          expr:
            `sum by (backend) (proxy_backend:herdlab_proxy_requests:rate15s{proxy=~"$proxy",backend=~"$backend"})` +
            ' / on () group_left () (sum(proxy_backend:herdlab_proxy_requests:rate15s{proxy=~"$proxy"}) > 0)',
          legend: '{{backend}}',
        }).legend(legend('none')),
        0,
        27,
        8,
        7,
      ],
      [
        lines('Requests per second, by outcome', 'ok, cancelled by the client, and every failure by its cause.', RATE, {
          expr: 'sum by (outcome) (rate(herdlab_proxy_requests_total{proxy=~"$proxy",backend=~"$backend|"}[$__rate_interval]))',
          legend: '{{outcome}}',
        }),
        8,
        27,
        8,
        7,
      ],
      [
        lines('Connections', 'Open connections, by side.', COUNT, {
          expr: 'sum by (side) (herdlab_proxy_connections)',
          legend: '{{side}}',
        }),
        16,
        27,
        8,
        7,
      ],
      [
        byProxy(
          'Refreshes per second',
          'Copies of the common counts that each proxy took. Zero for views that need none.',
          RATE,
          `sum by (proxy) (rate(herdlab_proxy_view_refreshes_total${PROXY}[$__rate_interval]))`,
        ),
        0,
        34,
        12,
        6,
      ],
      [
        byProxy(
          'Switches',
          'How often each proxy has been given another algorithm or view.',
          COUNT,
          `sum by (proxy) (herdlab_proxy_switches_total${PROXY})`,
        ),
        12,
        34,
        12,
        6,
      ],
      [
        lines(
          'Signals per second',
          'What balancers hear from backends beside responses: probes by result, load reports by result, idle notices.',
          RATE,
          {
            expr: `sum by (result) (rate(herdlab_proxy_probes_total${PROXY}[$__rate_interval]))`,
            legend: 'probes {{result}}',
          },
          {
            expr: `sum by (result) (rate(herdlab_proxy_load_reports_total${PROXY}[$__rate_interval]))`,
            legend: 'load reports {{result}}',
          },
          { expr: `sum(rate(herdlab_proxy_idle_notices_total${PROXY}[$__rate_interval]))`, legend: 'idle notices' },
        ),
        0,
        40,
        8,
        6,
      ],
      [
        byProxy(
          'Requests that wait at the proxy',
          'Every backend has as many as a limit lets it have.',
          COUNT,
          `sum by (proxy) (herdlab_proxy_waiting${PROXY})`,
        ),
        8,
        40,
        8,
        6,
      ],
      [
        byProxy(
          'Backends that tell when they become idle',
          'Open streams of idle notices, for join-idle-queue and others that listen.',
          COUNT,
          `sum by (proxy) (herdlab_proxy_idle_streams${PROXY})`,
        ),
        16,
        40,
        8,
        6,
      ],
      [
        lines(
          'Attempts per second',
          'First attempts, retries and hedges; hedges that won; and retries that the budget did not allow.',
          RATE,
          { expr: `sum by (kind) (rate(herdlab_proxy_attempts_total${PROXY}[$__rate_interval]))`, legend: '{{kind}}' },
        ),
        0,
        46,
        24,
        6,
      ],
    ],
  );
}
