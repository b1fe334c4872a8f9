import { BarChart, CustomChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { use } from 'echarts/core'
import { LabelLayout } from 'echarts/features'
import { SVGRenderer } from 'echarts/renderers'
import type { ChartResponse, Measure } from './chart/chart-response.ts'
import { drawOptions } from './chart/draw-options.ts'
import { heightOf, panelOptions } from './chart/draw-panels.ts'
import type { ExperimentChart, ReleaseChart } from './chart/interval-chart.ts'
import { palettes, type Theme } from './chart/palette.ts'
import { intervalsPanel, liftPanel, type Panel, stagesPanel } from './chart/panels.ts'
import { frequencyPicture, leadTimePicture, type Picture, shortName } from './chart/picture.ts'
import { renderSvg } from './chart/render-svg.ts'

export {
  type ChartPoint,
  type ChartResponse,
  type ChartSeries,
  type Measure,
  measures,
} from './chart/chart-response.ts'

export type {
  ExperimentChart,
  LiftInterval,
  LiftSeries,
  MetricLifts,
  ReleaseChart,
  ReleaseStageBar,
  StageState,
  VariationLift,
} from './chart/interval-chart.ts'

export { experimentChart, releaseChart } from './chart/results-chart.ts'

/** Options for drawing a chart. */
export interface SvgOptions {
  /** Default: a title that names the chart. */
  readonly title?: string
  /** Default: `light`. */
  readonly theme?: Theme
  /** Width in pixels. Default: 960. */
  readonly width?: number
  /** Height in pixels. Default: 480. */
  readonly height?: number
  /** BCP 47 tag of the language of numbers and dates. Default: `en`. */
  readonly locale?: string
}

/**
 * Draws a lead-time chart as a self-contained SVG document.
 * @param chart response of `getLeadTimeChart`, with percentiles if the measures contain some.
 * @param measureNames measures to draw. Default: the mean.
 */
export function leadTimeSvg(
  chart: ChartResponse,
  options: SvgOptions = {},
  measureNames: readonly Measure[] = ['mean'],
): string {
  const names = measureNames.map(shortName).join(', ')
  return pictureSvg(leadTimePicture(chart, measureNames), { title: `Lead time: ${names}`, ...options })
}

/**
 * Draws a deployment frequency chart as a self-contained SVG document.
 * @param chart a chart whose points count deployments.
 */
export function deploymentFrequencySvg(chart: ChartResponse, options: SvgOptions = {}): string {
  return pictureSvg(frequencyPicture(chart), options)
}

/**
 * Draws the results of an experiment as a self-contained SVG document: an interval for each metric and variation, and
 * the cumulative difference over time.
 * @param chart differences from the control. Unless the height is set, it depends on the number of differences.
 */
export function experimentSvg({ metrics, overTime }: ExperimentChart, options: SvgOptions = {}): string {
  const { theme = 'light', locale = 'en' } = options
  const palette = palettes[theme]
  const panels = [intervalsPanel('Difference from the control', metrics, { palette, locale })]
  if (overTime) panels.push(liftPanel(`${overTime.metric} over time`, overTime.series, { palette, locale }))
  return panelsSvg(panels, { title: 'Experiment', ...options })
}

/**
 * Draws a progressive or guarded release as a self-contained SVG document: its stages over time, and an interval for
 * each metric.
 * @param chart stages, of which some may be planned, and differences of the new variation from the old one.
 */
export function releaseSvg({ stages, metrics }: ReleaseChart, options: SvgOptions = {}): string {
  const { theme = 'light', locale = 'en' } = options
  const palette = palettes[theme]
  const panels = [stagesPanel('Stages', stages, { palette, locale })]
  if (metrics.length > 0) panels.push(intervalsPanel('Difference from the old variation', metrics, { palette, locale }))
  return panelsSvg(panels, { title: 'Release', ...options })
}

function panelsSvg(panels: readonly Panel[], options: SvgOptions & { readonly title: string }): string {
  use([CustomChart, LineChart, GridComponent, TitleComponent, LabelLayout, SVGRenderer])
  const { title, theme = 'light', width = 960, height = heightOf(panels) } = options
  return renderSvg(panelOptions(title, panels, palettes[theme], width), title, { width, height })
}

function pictureSvg(picture: Picture, options: SvgOptions): string {
  use([LineChart, BarChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])
  const { title = picture.title, theme = 'light', width = 960, height = 480, locale = 'en' } = options
  const isEmpty = picture.lines.length === 0
  const shownTitle = isEmpty ? `${title}. Nothing was deployed in this range.` : title
  const option = drawOptions({ ...picture, title: shownTitle }, { theme, locale, framed: true, width })
  return renderSvg(option, shownTitle, { width, height })
}
