/** Herd: does measured latency follow the model while the proxies switch, and does the herd form? */
import { COUNT, QUANTILE_COLOURS, RATE, SECONDS, SHARE, WORDS } from './panels';
import {
  Column,
  Series,
  bands,
  coloured,
  distribution,
  grid,
  legend,
  lines,
  number,
  rows,
  text,
  thresholds,
  words,
} from './panels';
import { assemble } from './dashboard';

const CELL = '{algorithm=~"$algorithm",view=~"$view"}';
const MEASURED = 'algorithm_view_quantile:herdlab_loadgen_latency_seconds:now';
const MODEL = 'algorithm_view_quantile:herdlab_model_latency_seconds:now';
const DIFFERENCE = 'algorithm_view_quantile:herdlab_loadgen_latency_seconds:difference_ratio';

/** The selector of a cell (algorithm, view) and a quantile. */
const at = (quantile: string) => `{quantile="${quantile}",algorithm=~"$algorithm",view=~"$view"}`;

function latency() {
  const series: Series[] = QUANTILE_COLOURS.flatMap(([quantile, name]) => [
    { expr: `max(${MEASURED}${at(quantile)})`, legend: `${name} measured` },
    { expr: `max(${MODEL}${at(quantile)})`, legend: `${name} predicted` },
  ]);
  const panel = lines(
    'Latency, measured and predicted',
    'Latency of what runs now, from the intended send instant to the last byte, over the last 15 s: solid. ' +
      'What the model predicts for the same algorithm, view and load: dashed. The model knows nothing of the measurement. ' +
      'Marks are switches; the panel above says what ran.',
    SECONDS,
    ...series,
  );
  QUANTILE_COLOURS.forEach(([, name, colour]) => {
    coloured(panel, `${name} measured`, colour);
    coloured(panel, `${name} predicted`, colour, true);
  });
  return panel;
}

function difference() {
  const panel = lines(
    'Measured over predicted',
    'Measured divided by predicted, minus 1: zero is exact, above is slower than predicted. Right after a switch the ' +
      'queues of the phase before are still being served, and a window of 15 s holds few requests: judge by the table below.',
    SHARE,
    ...QUANTILE_COLOURS.map(([quantile, name]) => ({ expr: `max(${DIFFERENCE}${at(quantile)})`, legend: name })),
  )
    .min(-0.5)
    .max(0.5)
    .axisCenteredZero(true);
  QUANTILE_COLOURS.forEach(([, name, colour]) => coloured(panel, name, colour));
  return panel;
}

function cells() {
  const by = (metric: string, quantile: string) => `max by (algorithm, view) (${metric}${at(quantile)})`;
  const quantiles = (heading: string, metric: string, unit: string): Column[] =>
    QUANTILE_COLOURS.map(([quantile, name]) => ({ heading: `${name} ${heading}`, expr: by(metric, quantile), unit }));
  return grid(
    'By algorithm and view: the last finished phase of each',
    'From raw samples, not from histograms. Predicted: the model, run long. Off: measured over the replay (the model with ' +
      'the backends that were really picked), minus 1: what sockets and timers cost. Twin: whether all quantiles lie within what ' +
      'the model gives with picks of its own. A run that is not valid says nothing.',
    ['algorithm', 'view'],
    [
      ...quantiles('measured', 'herdlab_measured_latency_seconds', SECONDS),
      ...quantiles('predicted', 'herdlab_model_latency_seconds', SECONDS),
      ...quantiles('off', 'herdlab_difference_ratio', SHARE),
      {
        heading: 'Twin',
        expr: `min by (algorithm, view) (herdlab_twin_agrees${CELL})`,
        unit: WORDS,
        mappings: words('disagrees', 'orange', 'agrees', 'green'),
      },
      {
        heading: 'Verdict',
        expr: `min by (algorithm, view) (herdlab_run_valid${CELL})`,
        unit: WORDS,
        mappings: words('not valid', 'red', 'valid', 'green'),
      },
    ],
  );
}

function p99ByCell() {
  return lines(
    'p99 by algorithm and view, measured and predicted',
    'One line for each algorithm and view while it ran; the prediction, dashed, is kept after its phase so that the ' +
      'levels can be compared.',
    SECONDS,
    {
      expr: `algorithm_view_quantile:herdlab_loadgen_latency_seconds:rate15s${at('0.99')}`,
      legend: '{{algorithm}} · {{view}}',
    },
    {
      expr: `max by (algorithm, view) (herdlab_model_latency_seconds${at('0.99')})`,
      legend: '{{algorithm}} · {{view}} predicted',
    },
  )
    .legend(legend('names'))
    .overrideByRegexp('/ predicted$/', [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } }]);
}

function viewAge() {
  const panel = lines(
    'Age of the view',
    'How old the counts are that the proxies pick by: the oldest and the median proxy, beside the refresh interval. ' +
      'Zero for views that are always fresh.',
    SECONDS,
    { expr: 'max(herdlab_proxy_view_age_seconds)', legend: 'oldest' },
    { expr: 'quantile(0.5, herdlab_proxy_view_age_seconds)', legend: 'median' },
    { expr: 'max(herdlab_proxy_view_refresh_seconds)', legend: 'refresh interval' },
  );
  coloured(panel, 'oldest', 'orange');
  return coloured(panel, 'refresh interval', 'text', true);
}

function shares() {
  const panel = lines(
    'Share of the picks, by backend',
    'Each line is the share of all picks in the last 15 s that one backend got; the dashed line is an equal share. ' +
      'Lines far from it: the backends are not loaded alike.',
    SHARE,
    { expr: 'backend:herdlab_proxy_requests:share15s{backend=~"$backend"}', legend: '{{backend}}' },
    { expr: '1 / count(backend:herdlab_proxy_requests:rate15s > 0)', legend: 'equal share' },
  ).legend(legend('none'));
  return coloured(panel, 'equal share', 'text', true);
}

function fullest() {
  const panel = lines(
    'Fullest and mean backend',
    'Requests in flight at the fullest backend and at the mean one, as the backends count them. A herd leaves one ' +
      'backend with a long queue while others idle: the mean stays, the fullest jumps.',
    COUNT,
    { expr: 'max(herdlab_backend_in_flight)', legend: 'fullest' },
    { expr: 'avg(herdlab_backend_in_flight)', legend: 'mean' },
  );
  coloured(panel, 'fullest', 'red');
  return coloured(panel, 'mean', 'blue');
}

function throughput() {
  return lines(
    'Requests per second, by outcome',
    'As the generator counts them: ok, and every failure by its cause; the planned rate is dashed.',
    RATE,
    { expr: 'sum by (outcome) (rate(herdlab_loadgen_requests_total[$__rate_interval]))', legend: '{{outcome}}' },
    { expr: 'sum(herdlab_loadgen_rate)', legend: 'planned' },
  ).overrideByName('planned', [{ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } }]);
}

export function herd() {
  return assemble(
    'herdlab-herd',
    'Herd',
    'Measured latency beside what the model predicts, while the proxies switch between algorithms and views.',
    [
      { name: 'algorithm', label: 'Algorithm', metric: 'herdlab_phase_info' },
      { name: 'view', label: 'View', metric: 'herdlab_phase_info' },
      { name: 'backend', label: 'Backend', metric: 'herdlab_proxy_in_flight' },
    ],
    [
      [
        text(
          'Running now',
          'The algorithm that picks, and what it knows of the loads.',
          'herdlab_phase_info == 1',
          '{{algorithm}} · {{view}}',
        ),
        0,
        0,
        8,
        3,
      ],
      [
        text(
          'System',
          'What the running phase was told to use.',
          'herdlab_phase_info == 1',
          '{{proxies}} proxies · {{backends}} backends',
        ),
        8,
        0,
        5,
        3,
      ],
      [
        number(
          'Verdict',
          "Whether the last finished phase of every algorithm and view is valid. Not valid: see the table, and the lab's page for the reasons.",
          WORDS,
          'min(herdlab_run_valid)',
        ).mappings(words('not all valid', 'red', 'all valid', 'green')),
        13,
        0,
        3,
        3,
      ],
      [
        number(
          'p99 off',
          'Measured p99 of the last 15 s divided by the prediction, minus 1.',
          SHARE,
          `max(${DIFFERENCE}{quantile="0.99"})`,
        )
          .decimals(0)
          .thresholds(thresholds('orange', [-0.2, 'green'], [0.2, 'orange'])),
        16,
        0,
        3,
        3,
      ],
      [
        number(
          'Fullest / mean',
          'Requests in flight at the fullest backend, over those at the mean one: 1 is level, the number of backends is a perfect herd.',
          WORDS,
          'max(component:herdlab_backend_in_flight:max_over_mean)',
        )
          .decimals(1)
          .thresholds(thresholds('green', [4, 'orange'], [6, 'red'])),
        19,
        0,
        3,
        3,
      ],
      [
        number(
          'Alerts',
          'Alerts that fire now; those that only inform are not counted. Instrument lists them.',
          WORDS,
          'count(ALERTS{alertstate="firing",severity!="info"}) or vector(0)',
        ).thresholds(thresholds('green', [1, 'red'])),
        22,
        0,
        2,
        3,
      ],
      [
        bands(
          'What ran',
          'The algorithm and the view of each phase.',
          'max by (algorithm, view) (herdlab_phase_info == 1)',
          ['algorithm', 'view'],
        ),
        0,
        3,
        16,
        3,
      ],
      [latency(), 0, 6, 16, 8],
      [
        rows(
          'Requests in flight, by backend',
          'A row for each backend, a column for each two seconds; brighter is more, summed over the proxies. A herd shows as bright cells among dark ones.',
          COUNT,
          { expr: 'sum by (backend) (herdlab_proxy_in_flight{backend=~"$backend"})', legend: '{{backend}}' },
        ),
        0,
        14,
        16,
        6,
      ],
      [difference(), 16, 3, 8, 6],
      [shares(), 16, 9, 8, 6],
      [viewAge(), 16, 15, 8, 5],
      [cells(), 0, 20, 24, 8],
      [p99ByCell(), 0, 28, 12, 9],
      [
        distribution(
          'Distribution of latency',
          'How many requests per second had which latency, whatever ran.',
          SECONDS,
          'herdlab_loadgen_latency_seconds',
          CELL,
        ),
        12,
        28,
        12,
        9,
      ],
      [fullest(), 0, 37, 12, 7],
      [throughput(), 12, 37, 12, 7],
    ],
  );
}
