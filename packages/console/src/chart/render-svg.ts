import { type EChartsCoreOption, init } from 'echarts/core'

/** Size of an image in px. */
export interface ImageSize {
  readonly width: number
  readonly height: number
}

/** Renders a chart as a self-contained SVG document whose title screen readers announce. */
export function renderSvg(option: EChartsCoreOption, title: string, { width, height }: ImageSize): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption(option)
    return withTitle(chart.renderToSVGString(), title)
  } finally {
    chart.dispose()
  }
}

function withTitle(svg: string, title: string): string {
  const text = title.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return `${svg.replace(/^<svg([^>]*)>/, (_, attributes: string) => `<svg role="img"${attributes}>\n<title>${text}</title>`)}\n`
}
