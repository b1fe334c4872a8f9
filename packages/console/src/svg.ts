import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, LegendComponent, TitleComponent } from 'echarts/components'
import { init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import type { ChartResponse, Measure } from './chart/chart-response.ts'
import { drawOptions } from './chart/draw-options.ts'
import type { Theme } from './chart/palette.ts'
import { frequencyPicture, leadTimePicture, type Picture, shortName } from './chart/picture.ts'

export {
  type ChartPoint,
  type ChartResponse,
  type ChartSeries,
  type Measure,
  measures,
} from './chart/chart-response.ts'

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
  return renderSvg(leadTimePicture(chart, measureNames), { title: `Lead time: ${names}`, ...options })
}

/**
 * Draws a deployment frequency chart as a self-contained SVG document.
 * @param chart a chart whose points count deployments.
 */
export function deploymentFrequencySvg(chart: ChartResponse, options: SvgOptions = {}): string {
  return renderSvg(frequencyPicture(chart), options)
}

function renderSvg(picture: Picture, options: SvgOptions): string {
  use([LineChart, BarChart, GridComponent, LegendComponent, TitleComponent, SVGRenderer])
  const { title = picture.title, theme = 'light', width = 960, height = 480, locale = 'en' } = options
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    const isEmpty = picture.lines.length === 0
    const shownTitle = isEmpty ? `${title}. Nothing was deployed in this range.` : title
    chart.setOption(drawOptions({ ...picture, title: shownTitle }, { theme, locale, framed: true }))
    return withTitle(chart.renderToSVGString(), shownTitle)
  } finally {
    chart.dispose()
  }
}

/** Adds a title element, which screen readers announce. */
function withTitle(svg: string, title: string): string {
  const text = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `${svg.replace(/^<svg([^>]*)>/, (_, attributes: string) => `<svg role="img"${attributes}>\n<title>${text}</title>`)}\n`
}
