import type { CustomSeriesOption } from 'echarts/charts'
import type { LiftSeries, MetricLifts, ReleaseStageBar, StageState } from './interval-chart.ts'
import { type Palette, shapes } from './palette.ts'
import { timeFormatter } from './unit.ts'

/** The parts of chart options that belong to one panel of a picture of several panels. */
export interface Panel {
  readonly height: number
  readonly title: string
  readonly xAxis: object
  readonly yAxis: { readonly axisLabel: object }
  readonly series: readonly object[]
}

/** Height of one row of bars or intervals, in pixels. */
const rowHeight = 30

/** Words for verdicts, before the numbers. */
const verdictTexts = { better: 'better: ', worse: 'worse: ', inconclusive: '' } as const

type RenderItem = NonNullable<CustomSeriesOption['renderItem']>
type Shape = Exclude<ReturnType<RenderItem>, null | undefined>

/** The colors and the language of a chart. */
export interface ChartStyle {
  readonly palette: Palette
  readonly locale: string
}

/** Draws a horizontal interval with its estimate and its text for each metric and variation. */
export function intervalsPanel(title: string, metrics: readonly MetricLifts[], { palette, locale }: ChartStyle): Panel {
  const names = [...new Set(metrics.flatMap(({ variations }) => variations.map(({ variation }) => variation)))]
  const rows = metrics.flatMap(({ metric, variations }) => variations.map((lift) => ({ metric, ...lift })))
  const percent = percentFormatter(locale)
  return {
    title,
    height: rowHeight * Math.max(rows.length, 1),
    xAxis: percentAxis(palette, percent),
    yAxis: rowAxis(
      palette,
      rows.map(({ metric, variation }) => (names.length > 1 ? `${metric}: ${variation}` : metric)),
    ),
    series: [
      custom(
        (row, api) => {
          const { variation, lower, estimate, upper, verdict } = rows[row] as (typeof rows)[number]
          const color = colorOf(palette, names.indexOf(variation))
          const [start, y] = api.coord([lower, row]) as [number, number]
          const [center] = api.coord([estimate, row]) as [number, number]
          const [end] = api.coord([upper, row]) as [number, number]
          const text = `${verdictTexts[verdict]}${percent(estimate)} (${percent(lower)} to ${percent(upper)})`
          return [
            line({ x1: start, y1: y, x2: end, y2: y }, color, 3),
            line({ x1: start, y1: y - 5, x2: start, y2: y + 5 }, color, 2),
            line({ x1: end, y1: y - 5, x2: end, y2: y + 5 }, color, 2),
            { type: 'circle', shape: { cx: center, cy: y, r: 5 }, style: { fill: color } },
            label({ x: within(center, text, api.getWidth()), y: y - 14 }, text, palette, 'center'),
          ]
        },
        rows.flatMap(({ lower, upper }, row) => [
          [lower, row],
          [upper, row],
        ]),
        rows.length,
      ),
    ],
  }
}

/** Draws the cumulative difference of each variation as a line, and its interval as an area. */
export function liftPanel(title: string, series: readonly LiftSeries[], { palette, locale }: ChartStyle): Panel {
  const times = series.flatMap(({ points }) => points.map(({ time }) => time))
  return {
    title,
    height: 220,
    xAxis: timeAxis(palette, times, locale),
    yAxis: percentAxis(palette, percentFormatter(locale)),
    series: series.flatMap(({ variation, points }, index) => [
      {
        name: variation,
        type: 'line',
        silent: true,
        color: colorOf(palette, index),
        symbol: shapes[index % shapes.length],
        symbolSize: 6,
        endLabel: {
          show: true,
          formatter: variation,
          color: palette.text,
          fontSize: 12,
          width: 100,
          overflow: 'truncate',
        },
        labelLayout: { moveOverlap: 'shiftY' },
        lineStyle: { width: 2 },
        data: points.map(({ time, estimate }) => [time, estimate]),
      },
      custom(
        (_, api) => {
          const [only, second] = points
          if (only && !second) {
            const [x, top] = api.coord([only.time, only.upper]) as [number, number]
            const [, bottom] = api.coord([only.time, only.lower]) as [number, number]
            return [line({ x1: x, y1: top, x2: x, y2: bottom }, colorOf(palette, index), 3)]
          }
          const corners = [
            ...points.map(({ time, upper }) => api.coord([time, upper])),
            ...points.toReversed().map(({ time, lower }) => api.coord([time, lower])),
          ]
          return [
            { type: 'polygon', shape: { points: corners }, style: { fill: colorOf(palette, index), opacity: 0.15 } },
          ]
        },
        points.flatMap(({ time, lower, upper }) => [
          [time, lower],
          [time, upper],
        ]),
        Math.min(points.length, 1),
      ),
    ]),
  }
}

const stageTexts: Readonly<Record<StageState, string>> = {
  completed: 'completed',
  current: 'current',
  held: 'held',
  stopped: 'stopped',
  'rolled-back': 'rolled back',
  planned: 'planned',
}

function stageColor({ lines, text }: Palette, state: StageState): string {
  const indexes = { completed: 2, current: 0, held: 4, 'rolled-back': 6 } as const
  return (state in indexes ? lines[indexes[state as keyof typeof indexes]] : undefined) ?? text
}

/**
 * Draws the stages of a release as bars over time, one row for each. The remaining time of a stage, and stages that
 * have not begun, are drawn as outlines.
 */
export function stagesPanel(title: string, stages: readonly ReleaseStageBar[], { palette, locale }: ChartStyle): Panel {
  const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
  return {
    title,
    height: rowHeight * Math.max(stages.length, 1),
    xAxis: timeAxis(
      palette,
      stages.flatMap(({ startedAt, endedAt, plannedUntil = endedAt }) => [startedAt, Math.max(endedAt, plannedUntil)]),
      locale,
    ),
    yAxis: rowAxis(
      palette,
      stages.map(({ share }) => percent.format(share)),
    ),
    series: [
      custom(
        (row, api) => {
          const { startedAt, endedAt, plannedUntil = endedAt, state } = stages[row] as ReleaseStageBar
          const [x, y] = api.coord([startedAt, row]) as [number, number]
          const [end] = api.coord([endedAt, row]) as [number, number]
          const [last] = api.coord([Math.max(endedAt, plannedUntil), row]) as [number, number]
          const [left] = api.coord([stages[0]?.startedAt ?? startedAt, row]) as [number, number]
          return [
            ...(last > end || state === 'planned' ? [outline({ x, y, end: last }, palette)] : []),
            ...(state === 'planned' ? [] : [bar({ x, y, end }, stageColor(palette, state))]),
            stageLabel({ from: x, until: last, left, y, width: api.getWidth() }, stageTexts[state], palette),
          ]
        },
        stages.flatMap(({ startedAt, endedAt, plannedUntil = endedAt }, row) => [
          [startedAt, row],
          [Math.max(endedAt, plannedUntil), row],
        ]),
        stages.length,
      ),
    ],
  }
}

/**
 * Returns the middle of a centered text, so that it stays in the picture. Outside a browser the width of text is
 * estimated.
 */
function within(middle: number, text: string, width: number): number {
  const half = text.length * 3 + 8
  return Math.max(half, Math.min(middle, width - half))
}

/** Returns a series that draws shapes for rows. Its data are the points that the axes have to include. */
function custom(
  draw: (row: number, api: Parameters<RenderItem>[1]) => readonly Shape[],
  extent: readonly (readonly number[])[],
  rows: number,
): CustomSeriesOption {
  return {
    type: 'custom',
    silent: true,
    clip: false,
    data: extent.map((point) => [...point]),
    renderItem: ({ dataIndex }, api) =>
      dataIndex < rows ? { type: 'group', children: draw(dataIndex, api) as Shape[] } : null,
  } as CustomSeriesOption
}

interface LineEnds {
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

function line(shape: LineEnds, stroke: string, lineWidth: number): Shape {
  return { type: 'line', shape, style: { stroke, lineWidth } }
}

interface BarPosition {
  /** Horizontal positions of the ends of the bar, and of the axis with the names of the rows. */
  readonly from: number
  readonly until: number
  readonly left: number
  readonly y: number
  /** Width of the picture. */
  readonly width: number
}

/**
 * Writes the state of a stage after its bar, before it, or on it: the first position where the text covers neither the
 * name of the row nor the edge.
 */
function stageLabel({ from, until, left, y, width }: BarPosition, text: string, palette: Palette): Shape {
  const space = text.length * 6 + 8
  if (width - until >= space) return label({ x: until + 6, y }, text, palette, 'left')
  if (from - left >= space) return label({ x: from - 6, y }, text, palette, 'right')
  return label({ x: (from + until) / 2, y }, text, palette, 'center')
}

/** The height of a bar, and where it starts and ends. */
interface BarSpan {
  readonly x: number
  readonly y: number
  readonly end: number
}

function bar({ x, y, end }: BarSpan, fill: string): Shape {
  return { type: 'rect', shape: { x, y: y - 8, width: Math.max(end - x, 2), height: 16, r: 3 }, style: { fill } }
}

function outline({ x, y, end }: BarSpan, { text, background }: Palette): Shape {
  const shape = { x, y: y - 8, width: Math.max(end - x, 2), height: 16, r: 3 }
  return { type: 'rect', shape, style: { fill: background, stroke: text, lineWidth: 1, lineDash: [4, 3] } }
}

/** A point of a drawing. */
interface Point {
  readonly x: number
  readonly y: number
}

/** Draws a text on the color of the background, so that the lines of the axes do not cross it. */
function label({ x, y }: Point, text: string, palette: Palette, align: 'left' | 'center' | 'right'): Shape {
  const style = { x, y, text, fill: palette.text, backgroundColor: palette.background, align }
  return { type: 'text', style: { ...style, fontSize: 11, verticalAlign: 'middle' } } as Shape
}

function colorOf({ lines }: Palette, index: number): string {
  return lines[index % lines.length] as string
}

function percentFormatter(locale: string): (share: number) => string {
  const format = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  })
  return (share) => format.format(share)
}

function percentAxis({ text, gridLine }: Palette, percent: (share: number) => string) {
  return {
    type: 'value',
    axisLabel: { color: text, fontSize: 12, formatter: percent, hideOverlap: true },
    splitLine: { lineStyle: { color: gridLine } },
  }
}

/** Returns an axis with one row for each name, from the top to the bottom. */
function rowAxis({ text }: Palette, names: readonly string[]) {
  return {
    type: 'category',
    inverse: true,
    data: names,
    axisLabel: { color: text, fontSize: 12, interval: 0, width: 220, overflow: 'truncate' },
    // The line at 0, which separates an increase from a decrease.
    axisLine: { onZero: true, lineStyle: { color: text } },
    axisTick: { show: false },
  }
}

function timeAxis({ text }: Palette, times: readonly number[], locale: string) {
  const span = Math.max(...times) - Math.min(...times)
  return {
    type: 'time',
    axisLabel: { color: text, fontSize: 12, hideOverlap: true, formatter: timeFormatter(locale, span) },
    // A label with a day and a time is as wide as a fifth of the axis.
    minInterval: span / 2.5,
    axisLine: { onZero: true, lineStyle: { color: text } },
    splitLine: { show: false },
    splitNumber: 4,
  }
}
