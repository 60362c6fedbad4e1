/**
 * The kinds of panels that the dashboards are made of, with one look: what all panels of a kind share is said here
 * and nowhere else. A panel's place is given where the dashboard is put together (dashboard.ts).
 */
import { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import * as common from '@grafana/grafana-foundation-sdk/common';
import * as dashboard from '@grafana/grafana-foundation-sdk/dashboard';
import * as heatmap from '@grafana/grafana-foundation-sdk/heatmap';
import * as prometheus from '@grafana/grafana-foundation-sdk/prometheus';
import * as stat from '@grafana/grafana-foundation-sdk/stat';
import * as statetimeline from '@grafana/grafana-foundation-sdk/statetimeline';
import * as table from '@grafana/grafana-foundation-sdk/table';
import * as timeseries from '@grafana/grafana-foundation-sdk/timeseries';

/** The data source that the variable at the top of each dashboard names. */
export const datasource: common.DataSourceRef = { type: 'prometheus', uid: '${datasource}' };

/** What a person reads, and the query behind it. */
export interface Series {
  readonly expr: string;
  readonly legend: string;
}

/** Units, by Grafana's names for them. */
export const SECONDS = 's';
export const RATE = 'reqps';
export const SHARE = 'percentunit';
export const COUNT = 'short';
export const BYTES = 'bytes';
/** A panel whose numbers only stand for words. */
export const WORDS = 'none';

/** One colour for each quantile, on every dashboard. */
export const QUANTILE_COLOURS: readonly [quantile: string, name: string, colour: string][] = [
  ['0.5', 'p50', 'blue'],
  ['0.95', 'p95', 'orange'],
  ['0.99', 'p99', 'red'],
];

/** Thresholds from the lowest up; the first colour holds below the first limit. */
export function thresholds(
  first: string,
  ...steps: [limit: number, colour: string][]
): dashboard.ThresholdsConfigBuilder {
  return new dashboard.ThresholdsConfigBuilder()
    .mode(dashboard.ThresholdsMode.Absolute)
    .steps([{ value: null, color: first }, ...steps.map(([value, color]) => ({ value, color }))]);
}

/** Words for the numbers 0 and 1. */
export function words(zero: string, zeroColour: string, one: string, oneColour: string): dashboard.ValueMapping[] {
  return [
    {
      type: dashboard.MappingType.ValueToText,
      options: { 0: { text: zero, color: zeroColour, index: 0 }, 1: { text: one, color: oneColour, index: 1 } },
    },
  ];
}

function queries(
  series: readonly Series[],
  instant: boolean,
  format: prometheus.PromQueryFormat,
): Builder<Dataquery>[] {
  return series.map(({ expr, legend }, index) => {
    const query = new prometheus.DataqueryBuilder()
      .datasource(datasource)
      .refId(String.fromCharCode('A'.charCodeAt(0) + index))
      .editorMode(prometheus.QueryEditorMode.Code)
      .expr(expr)
      .legendFormat(legend)
      .format(format);
    return instant ? query.instant() : query.range();
  });
}

/** Values over time as lines, from zero up, all values shown where the mouse is, a legend of last values below. */
export function lines(title: string, description: string, unit: string, ...series: Series[]): timeseries.PanelBuilder {
  return new timeseries.PanelBuilder()
    .title(title)
    .description(description)
    .datasource(datasource)
    .targets(queries(series, false, prometheus.PromQueryFormat.TimeSeries))
    .unit(unit)
    .min(0)
    .lineWidth(1)
    .fillOpacity(0)
    .showPoints(common.VisibilityMode.Never)
    .spanNulls(false)
    .colorScheme(new dashboard.FieldColorBuilder().mode(dashboard.FieldColorModeId.PaletteClassicByName))
    .legend(legend('values'))
    .tooltip(
      new common.VizTooltipOptionsBuilder().mode(common.TooltipDisplayMode.Multi).sort(common.SortOrder.Descending),
    );
}

/** Below the panel: names with their last values; names alone, where they are many; nothing, where they are as many as backends. */
export function legend(kind: 'values' | 'names' | 'none'): common.VizLegendOptionsBuilder {
  return new common.VizLegendOptionsBuilder()
    .showLegend(kind !== 'none')
    .displayMode(common.LegendDisplayMode.List)
    .placement(common.LegendPlacement.Bottom)
    .calcs(kind === 'values' ? ['lastNotNull'] : []);
}

/** A colour of its own for a series, by its legend; a prediction or a limit is dashed. */
export function coloured(
  panel: timeseries.PanelBuilder,
  name: string,
  colour: string,
  dashed = false,
): timeseries.PanelBuilder {
  const properties: dashboard.DynamicConfigValue[] = [{ id: 'color', value: { mode: 'fixed', fixedColor: colour } }];
  if (dashed) {
    properties.push({ id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } });
  } else {
    properties.push({ id: 'custom.lineWidth', value: 2 });
  }
  return panel.overrideByName(name, properties);
}

/** One number, now; its colour says whether it is as it should be. */
export function number(title: string, description: string, unit: string, expr: string): stat.PanelBuilder {
  return new stat.PanelBuilder()
    .title(title)
    .description(description)
    .datasource(datasource)
    .targets(queries([{ expr, legend: title }], true, prometheus.PromQueryFormat.TimeSeries))
    .unit(unit)
    .colorMode(common.BigValueColorMode.Value)
    .graphMode(common.BigValueGraphMode.None)
    .thresholds(thresholds('text'))
    .reduceOptions(new common.ReduceDataOptionsBuilder().calcs(['lastNotNull']));
}

/** A label's value instead of a number: the legend is what is shown. */
export function text(title: string, description: string, expr: string, shown: string): stat.PanelBuilder {
  return number(title, description, WORDS, expr)
    .targets(queries([{ expr, legend: shown }], true, prometheus.PromQueryFormat.TimeSeries))
    .textMode(common.BigValueTextMode.Name);
}

/** A row for each series and a cell for each instant: the more, the brighter. */
export function rows(title: string, description: string, unit: string, series: Series): heatmap.PanelBuilder {
  return new heatmap.PanelBuilder()
    .title(title)
    .description(description)
    .datasource(datasource)
    .targets(queries([series], false, prometheus.PromQueryFormat.TimeSeries))
    .calculate(false)
    .unit(unit)
    .color(heatColours())
    .cellGap(0)
    .rowsFrame(new heatmap.RowsHeatmapOptionsBuilder().layout(common.HeatmapCellLayout.Unknown))
    .yAxis(new heatmap.YAxisConfigBuilder().axisPlacement(common.AxisPlacement.Left).reverse(true))
    .tooltip(
      new heatmap.HeatmapTooltipBuilder().mode(common.TooltipDisplayMode.Single).yHistogram(false).showColorScale(true),
    )
    .showLegend();
}

/** A histogram over time: how many in each range of values. Reads native and classic histograms. */
export function distribution(
  title: string,
  description: string,
  unit: string,
  metric: string,
  selector: string,
): heatmap.PanelBuilder {
  const rate = (name: string) => `rate(${name}${selector}[$__rate_interval])`;
  const expr = `sum(${rate(metric)}) or sum by (le) (${rate(`${metric}_bucket`)})`;
  return rows(title, description, RATE, { expr, legend: '{{le}}' })
    .targets(queries([{ expr, legend: '{{le}}' }], false, prometheus.PromQueryFormat.Heatmap))
    .rowsFrame(new heatmap.RowsHeatmapOptionsBuilder().layout(common.HeatmapCellLayout.Auto))
    .yAxis(new heatmap.YAxisConfigBuilder().axisPlacement(common.AxisPlacement.Left).unit(unit).reverse(false));
}

function heatColours(): heatmap.HeatmapColorOptionsBuilder {
  return new heatmap.HeatmapColorOptionsBuilder()
    .mode(heatmap.HeatmapColorMode.Scheme)
    .scheme('Inferno')
    .fill('dark-orange')
    .scale(heatmap.HeatmapColorScale.Exponential)
    .exponent(0.5)
    .steps(64)
    .reverse(false)
    .min(0);
}

/** The labels of what runs, as bands over time: one row for each of the labels named. */
export function bands(
  title: string,
  description: string,
  expr: string,
  labels: readonly string[],
): statetimeline.PanelBuilder {
  return new statetimeline.PanelBuilder()
    .title(title)
    .description(description)
    .datasource(datasource)
    .targets(queries([{ expr, legend: '__auto' }], false, prometheus.PromQueryFormat.TimeSeries))
    .withTransformation({ id: 'labelsToFields', options: { mode: 'columns', keepLabels: labels } })
    .withTransformation({ id: 'merge', options: {} })
    .withTransformation({ id: 'sortBy', options: { sort: [{ field: 'Time' }] } })
    .withTransformation({ id: 'filterFieldsByName', options: { include: { names: ['Time', ...labels] } } })
    .unit(WORDS)
    .mergeValues(true)
    .showValue(common.VisibilityMode.Auto)
    .alignValue(common.TimelineValueAlignment.Center)
    .rowHeight(0.9)
    .fillOpacity(70)
    .legend(legend('none'))
    .thresholds(thresholds('purple'))
    .mappings(
      [
        ['/^round-robin/', 'blue'],
        ['/^least/', 'orange'],
        ['/^p2c/', 'green'],
        ['/^local/', 'super-light-blue'],
        ['/^shared-stale/', 'red'],
        ['/^shared/', 'light-green'],
      ].map(([pattern, color], index) => ({
        type: dashboard.MappingType.RegexToText,
        options: { pattern: pattern ?? '', result: { color, index } },
      })),
    );
}

/** A column of a table: its heading, its query by the table's labels, its unit, and words instead of numbers. */
export interface Column {
  readonly heading: string;
  readonly expr: string;
  readonly unit: string;
  readonly mappings?: dashboard.ValueMapping[];
}

/** One line for each value of the labels; a column for each query. */
export function grid(
  title: string,
  description: string,
  labels: readonly string[],
  columns: readonly Column[],
): table.PanelBuilder {
  const panel = new table.PanelBuilder()
    .title(title)
    .description(description)
    .datasource(datasource)
    .targets(
      queries(
        columns.map(({ expr, heading }) => ({ expr, legend: heading })),
        true,
        prometheus.PromQueryFormat.Table,
      ),
    )
    .unit(WORDS)
    .filterable(false)
    .cellHeight(common.TableCellHeight.Sm);
  const renamed: Record<string, string> = {};
  labels.forEach((label) => (renamed[label] = label.charAt(0).toUpperCase() + label.slice(1)));
  columns.forEach(({ heading, unit, mappings }, index) => {
    const value = columns.length === 1 ? 'Value' : `Value #${String.fromCharCode('A'.charCodeAt(0) + index)}`;
    renamed[value] = heading;
    const properties: dashboard.DynamicConfigValue[] = [{ id: 'unit', value: unit }];
    if (mappings) {
      properties.push({ id: 'mappings', value: mappings }, { id: 'custom.cellOptions', value: { type: 'color-text' } });
    }
    panel.overrideByName(heading, properties);
  });
  if (columns.length > 1) {
    panel.withTransformation({ id: 'merge', options: {} });
  }
  return panel.withTransformation({
    id: 'organize',
    options: { excludeByName: { Time: true }, renameByName: renamed },
  });
}
