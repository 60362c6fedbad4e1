/**
 * The rules that every dashboard keeps. They read the committed JSON, and need nothing but Node:
 * `node --test grafana/test`.
 */
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

const read = (path) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');
const dashboards = readdirSync(fileURLToPath(new URL('../dashboards', import.meta.url)))
  .filter((file) => file.endsWith('.json'))
  .map((file) => ({ file, ...JSON.parse(read(`dashboards/${file}`)) }));

const COLUMNS = 24;
const FIRST_SCREEN_ROWS = 20; // of 38 pixels: 760, and Grafana's bars above them
const NARROWEST = 2;
// A title's letters at 14 px in a panel at 1280 px; longer ones end in dots.
const LETTERS_PER_COLUMN = 6.5;
const WINDOWS = ['$__rate_interval', '5s', '15s', '30s', '1m', '5m'];
const BUILT_IN = ['up', 'ALERTS', 'scrape_duration_seconds', 'scrape_samples_scraped'];
const HISTOGRAM_SUFFIX = /_(bucket|sum|count)$/;

/** The metrics that processes export, by their contract. */
const documented = new Set(read('../docs/metrics.md').match(/herdlab_[a-z0-9_]+/g));
/** The metrics that our rules record. */
const recorded = new Set(
  [...read('prometheus/rules/recording.yml').matchAll(/record: (\S+)/g)].map((match) => match[1]),
);

const targets = (dashboard) =>
  dashboard.panels.flatMap((panel) => (panel.targets ?? []).map((target) => ({ panel, ...target })));
const variables = (dashboard) => dashboard.templating.list;
const expressions = (dashboard) => [
  ...targets(dashboard).map((target) => target.expr),
  ...dashboard.annotations.list.filter((annotation) => annotation.expr).map((annotation) => annotation.expr),
  ...variables(dashboard)
    .filter((variable) => variable.type === 'query')
    .map((variable) => variable.query.query),
];

/** The names of metrics in an expression: what is left without strings, labels and words of PromQL, by its form. */
function metrics(expr) {
  const bare = expr.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  return [...bare.matchAll(/[a-zA-Z_:][a-zA-Z0-9_:]*/g)]
    .map((match) => match[0])
    .filter(
      (name) =>
        name.startsWith('herdlab_') || name.includes(':') || BUILT_IN.includes(name) || /^(scrape_|ALERTS)/.test(name),
    );
}

function known(name) {
  return (
    recorded.has(name) ||
    BUILT_IN.includes(name) ||
    documented.has(name) ||
    documented.has(name.replace(HISTOGRAM_SUFFIX, ''))
  );
}

for (const dashboard of dashboards) {
  describe(dashboard.file, () => {
    const panels = dashboard.panels;

    it('is of a schema that Grafana 10 to 13 load', () => {
      assert.ok(
        dashboard.schemaVersion >= 39 && dashboard.schemaVersion <= 42,
        `schemaVersion: ${dashboard.schemaVersion}`,
      );
      assert.equal(dashboard.uid, `herdlab-${dashboard.file.replace('.json', '')}`);
      assert.equal(dashboard.id ?? null, null, 'id is given by Grafana');
      assert.ok(dashboard.title && dashboard.description);
      assert.deepEqual(dashboard.tags, ['herdlab']);
    });

    it('links to the others, with the time and the filters kept', () => {
      const [link] = dashboard.links;
      assert.deepEqual(
        [link.type, link.tags, link.includeVars, link.keepTime],
        ['dashboards', ['herdlab'], true, true],
      );
    });

    it('asks the data source that its variable names, and no other', () => {
      assert.equal(variables(dashboard)[0].type, 'datasource');
      const asked = [...panels, ...targets(dashboard), ...variables(dashboard).slice(1), ...dashboard.annotations.list];
      for (const { datasource } of asked) {
        assert.deepEqual(datasource, { type: 'prometheus', uid: '${datasource}' });
      }
    });

    it('has titles, descriptions and units', () => {
      for (const panel of panels) {
        assert.ok(panel.title, `panel ${panel.id} has a title`);
        assert.ok(panel.description?.endsWith('.'), `${panel.title}: a description that is a sentence`);
        assert.ok(panel.fieldConfig?.defaults?.unit, `${panel.title}: a unit`);
        assert.ok(panel.title.length <= panel.gridPos.w * LETTERS_PER_COLUMN, `${panel.title}: a title that fits`);
      }
      const titles = panels.map((panel) => panel.title);
      assert.equal(new Set(titles).size, titles.length, 'titles differ');
    });

    it('has an id for each panel, and a letter for each query', () => {
      assert.equal(new Set(panels.map((panel) => panel.id)).size, panels.length);
      for (const panel of panels) {
        const letters = panel.targets.map((target) => target.refId);
        assert.equal(new Set(letters).size, letters.length, panel.title);
        assert.ok(letters.length > 0, panel.title);
      }
    });

    it('has panels that neither overlap nor leave the grid nor a gap', () => {
      const cells = new Set();
      let bottom = 0;
      for (const {
        title,
        gridPos: { x, y, w, h },
      } of panels) {
        assert.ok(x >= 0 && w >= NARROWEST && x + w <= COLUMNS, `${title}: x ${x}, w ${w}`);
        bottom = Math.max(bottom, y + h);
        for (let column = x; column < x + w; column += 1) {
          for (let row = y; row < y + h; row += 1) {
            assert.ok(!cells.has(`${column},${row}`), `${title} overlaps at column ${column}, row ${row}`);
            cells.add(`${column},${row}`);
          }
        }
      }
      assert.equal(cells.size, bottom * COLUMNS, 'no gaps: Grafana would move panels up into them');
    });

    it('has a first screen that no panel leaves', () => {
      for (const {
        title,
        gridPos: { y, h },
      } of panels) {
        assert.ok(y >= FIRST_SCREEN_ROWS || y + h <= FIRST_SCREEN_ROWS, `${title}: rows ${y} to ${y + h}`);
      }
    });

    it('names only metrics that exist', () => {
      for (const expr of expressions(dashboard)) {
        const names = metrics(expr);
        assert.ok(names.length > 0, expr);
        for (const name of names) {
          assert.ok(known(name), `${name}: in docs/metrics.md or prometheus/rules (${expr})`);
        }
      }
    });

    it("takes rates over Grafana's interval, or over one of a few that are fixed", () => {
      for (const expr of expressions(dashboard)) {
        for (const [, window] of expr.matchAll(/\[([^\]]+)\]/g)) {
          assert.ok(WINDOWS.includes(window), `[${window}] in ${expr}`);
        }
      }
    });

    it('uses every variable that it offers, as an expression over several values', () => {
      const all = expressions(dashboard).join('\n');
      for (const variable of variables(dashboard).slice(1)) {
        assert.ok(all.includes(`=~"$${variable.name}`), `${variable.name} filters something`);
        assert.ok(variable.multi && variable.includeAll && variable.allValue === '.*', variable.name);
        assert.ok(variable.label && variable.description, variable.name);
      }
      for (const [, name] of all.matchAll(/\$(\w+)/g)) {
        assert.ok(
          name.startsWith('__') || variables(dashboard).some((variable) => variable.name === name),
          `$${name} is offered`,
        );
      }
      assert.ok(!/="\$/.test(all), 'a variable with several values needs =~');
    });

    it('marks switches from metrics alone', () => {
      assert.deepEqual(
        dashboard.annotations.list.map((annotation) => annotation.name),
        ['Phases', 'Switched by hand'],
      );
      for (const annotation of dashboard.annotations.list) {
        assert.equal(annotation.expr, annotation.target.expr, annotation.name);
        assert.ok(
          read('prometheus/tests/annotations.test.yml').includes(`expr: ${annotation.expr}\n`),
          `${annotation.name} is tested`,
        );
      }
    });

    it('opens on the last five minutes, and follows', () => {
      assert.deepEqual(dashboard.time, { from: 'now-5m', to: 'now' });
      assert.equal(dashboard.refresh, '5s');
      assert.equal(dashboard.timezone, 'browser');
    });
  });
}

describe('the dashboards together', () => {
  it('are four, with uids of their own', () => {
    assert.deepEqual(dashboards.map((dashboard) => dashboard.title).sort(), [
      'Backends',
      'Herd',
      'Instrument',
      'Proxies',
    ]);
    assert.equal(new Set(dashboards.map((dashboard) => dashboard.uid)).size, dashboards.length);
  });

  it('show every metric of the contract, by themselves or through a rule', () => {
    const shown = new Set(dashboards.flatMap(expressions).flatMap(metrics));
    const rules = read('prometheus/rules/recording.yml') + read('prometheus/rules/alerts.yml');
    metrics(rules).forEach((name) => shown.add(name.replace(HISTOGRAM_SUFFIX, '')));
    const notShown = ['herdlab_replay_latency_seconds', 'herdlab_twin_latency_seconds', 'herdlab_phase_switches_total'];
    const missing = [...documented].filter(
      (name) => !HISTOGRAM_SUFFIX.test(name) && !shown.has(name) && !notShown.includes(name),
    );
    assert.deepEqual(missing, []);
  });

  it('use every recording that no alert and no other recording uses', () => {
    const rules =
      read('prometheus/rules/recording.yml').replace(/record: \S+/g, '') + read('prometheus/rules/alerts.yml');
    const used = new Set([...dashboards.flatMap(expressions), rules].flatMap(metrics));
    assert.deepEqual(
      [...recorded].filter((name) => !used.has(name)),
      [],
    );
  });
});

describe('provisioning', () => {
  it('gives the data source the uid that the dashboards name, and the interval of the scrapes', () => {
    const provisioned = read('provisioning/datasources/prometheus.yml');
    const interval = /scrape_interval: (\w+)/.exec(read('prometheus/prometheus.yml'))[1];
    for (const dashboard of dashboards) {
      assert.ok(provisioned.includes(`uid: ${variables(dashboard)[0].current.value}\n`), dashboard.file);
    }
    assert.ok(provisioned.includes(`timeInterval: ${interval}\n`));
  });
});

describe('the Prometheus configuration', () => {
  it('is the same for both versions, but for one key', () => {
    const lines = (path) =>
      read(path)
        .split('\n')
        .filter((line) => !/^\s*(#|$)/.test(line));
    const newer = lines('prometheus/prometheus-3.yml');
    const only = newer.filter((line) => line.includes('scrape_native_histograms: true'));
    assert.equal(only.length, 1);
    assert.deepEqual(
      newer.filter((line) => line !== only[0]),
      lines('prometheus/prometheus.yml'),
    );
  });

  it('gives each alert a severity, a summary and a description, and a line in the docs', () => {
    const rules = read('prometheus/rules/alerts.yml').split('- alert: ').slice(1);
    const docs = read('../docs/dashboards.md');
    const tests = read('prometheus/tests/alerts.test.yml');
    assert.ok(rules.length > 0);
    for (const rule of rules) {
      const name = rule.split('\n')[0];
      assert.match(rule, /labels: \{severity: (critical|warning|info)\}/, name);
      assert.match(rule, /summary: /, name);
      assert.match(rule, /description: /, name);
      assert.ok(docs.includes(`\`${name}\``), `${name} is in docs/dashboards.md`);
      assert.match(tests, new RegExp(`alertname: ${name}\\n`), `${name} is tested firing`);
    }
  });
});
