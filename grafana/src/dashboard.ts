/** What all dashboards share: data source, links among them, annotations, variables, and how panels are placed. */
import { Builder } from '@grafana/grafana-foundation-sdk/cog';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import { datasource } from './panels';

/** The uid of the provisioned data source; provisioning/datasources says the same. */
const DATASOURCE_UID = 'herdlab-prometheus';

/** A panel and its place: grid columns (24 across) and rows (38 pixels each, the gap included). */
export type Placed = readonly [panel: Builder<dashboard.Panel>, x: number, y: number, w: number, h: number];

/** A variable to filter by: the label's values, as some metric has them in the time shown. */
export interface Filter {
  readonly name: string;
  readonly label: string;
  readonly metric: string;
  /** The metric's label, where it is not called as the variable is. */
  readonly of?: string;
}

/** A dashboard with its panels placed; ids follow the order of the panels. */
export function assemble(
  uid: string,
  title: string,
  description: string,
  filters: readonly Filter[],
  panels: readonly Placed[],
): dashboard.Dashboard {
  const built = new dashboard.DashboardBuilder(title)
    .uid(uid)
    .description(description)
    .tags(['herdlab'])
    .timezone('browser')
    .editable()
    .refresh('5s')
    .time({ from: 'now-5m', to: 'now' })
    .tooltip(dashboard.DashboardCursorSync.Crosshair)
    .link(
      new dashboard.DashboardLinkBuilder('Herdlab')
        .type(dashboard.DashboardLinkType.Dashboards)
        .tags(['herdlab'])
        .tooltip('The other dashboards, at the same time and with the same filters')
        .asDropdown(false)
        .includeVars(true)
        .keepTime(true),
    )
    .annotations([phases(), switchesByHand()])
    .withVariable(
      new dashboard.DatasourceVariableBuilder('datasource')
        .label('Data source')
        .type('prometheus')
        .current({ text: 'Prometheus', value: DATASOURCE_UID }),
    );
  filters.forEach((filter) => built.withVariable(variable(filter)));
  panels.forEach(([panel, x, y, w, h], index) => {
    const placed = panel.build();
    placed.id = index + 1;
    placed.gridPos = { x, y, w, h };
    built.withPanel({ build: () => placed });
  });
  return built.build();
}

function variable({ name, label, metric, of }: Filter): dashboard.QueryVariableBuilder {
  const query = `label_values(${metric}, ${of ?? name})`;
  return new dashboard.QueryVariableBuilder(name)
    .label(label)
    .description(`Shows only what has this ${label.toLowerCase()}`)
    .datasource(datasource)
    .definition(query)
    .query({ qryType: 1, query, refId: 'PrometheusVariableQueryEditor-VariableQuery' })
    .refresh(dashboard.VariableRefresh.OnTimeRangeChanged)
    .sort(dashboard.VariableSort.NaturalAsc)
    .multi(true)
    .includeAll(true)
    .allValue('.*')
    .current({ text: ['All'], value: ['$__all'] });
}

/** One mark at each phase's first instant, which is the metric's value: nothing has to be written to Grafana. */
function phases(): dashboard.AnnotationQueryBuilder {
  return annotation(
    'Phases',
    'purple',
    // One lab, whatever the number of addresses it is scraped at.
    'max(herdlab_phase_start_timestamp_seconds) * 1000' +
      ' * on () group_right () max by (phase, algorithm, view) (herdlab_phase_info == 1)',
  )
    .useValueForTime(true)
    .titleFormat('{{algorithm}}')
    .textFormat('view {{view}}, phase {{phase}}')
    .tagKeys('phase');
}

/**
 * Switches with no phase's start within ten seconds: somebody has turned a knob. It looks three seconds back, when both
 * sides have been scraped, so that a phase's own switch is never marked; so the mark is at three to eight seconds after.
 */
function switchesByHand(): dashboard.AnnotationQueryBuilder {
  return annotation(
    'Switched by hand',
    'yellow',
    'count by (algorithm, view) (' +
      '(herdlab_proxy_algorithm_info == 1) and on (instance, proxy) changes(herdlab_proxy_switches_total[5s] offset 3s) > 0' +
      ') unless on () max(changes(herdlab_phase_start_timestamp_seconds[30s] offset -10s)) > 0',
  )
    .useValueForTime(false)
    .titleFormat('{{algorithm}}')
    .textFormat('view {{view}}, switched by hand')
    .tagKeys('');
}

function annotation(name: string, colour: string, expr: string): dashboard.AnnotationQueryBuilder {
  const target = new prometheus.DataqueryBuilder()
    .datasource(datasource)
    .refId('Anno')
    .expr(expr)
    .interval('2s')
    .range();
  return (
    new dashboard.AnnotationQueryBuilder()
      .name(name)
      .datasource(datasource)
      .enable(true)
      .iconColor(colour)
      // Older versions of Grafana look here, newer ones at the target.
      .expr(expr)
      .step('2s')
      .target(target)
  );
}
