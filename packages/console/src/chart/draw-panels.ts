import type { EChartsCoreOption } from 'echarts/core'
import type { Palette } from './palette.ts'
import type { Panel } from './panels.ts'

/** Space above the first panel, between two panels, and below the last one, in pixels. */
const space = { top: 84, between: 92, bottom: 48 } as const

/** Returns the height of a picture of panels, in pixels. */
export function heightOf(panels: readonly Panel[]): number {
  const heights = panels.reduce((sum, { height }) => sum + height, 0)
  return space.top + heights + space.between * Math.max(panels.length - 1, 0) + space.bottom
}

/**
 * Returns the options with which the chart library draws panels below each other.
 *
 * @param title title of the whole picture.
 * @param panels at least one panel.
 * @param palette colors of the theme.
 */
export function panelOptions(title: string, panels: readonly Panel[], palette: Palette): EChartsCoreOption {
  const { background, text } = palette
  const tops = panels.map((_, i) => heightOf(panels.slice(0, i + 1)) - space.bottom - (panels[i] as Panel).height)
  const bold = { color: text, fontSize: 13 }
  return {
    animation: false,
    useUTC: true,
    backgroundColor: background,
    textStyle: { fontFamily: 'system-ui, sans-serif', color: text },
    title: [
      { text: title, left: 12, top: 8, textStyle: { color: text, fontSize: 16 } },
      ...panels.map((panel, i) => ({ text: panel.title, left: 12, top: (tops[i] as number) - 44, textStyle: bold })),
    ],
    grid: panels.map(({ height }, i) => ({ left: 240, right: 120, top: tops[i], height })),
    xAxis: panels.map(({ xAxis }, gridIndex) => ({ ...xAxis, gridIndex })),
    yAxis: panels.map(({ yAxis }, gridIndex) => ({ ...yAxis, gridIndex })),
    series: panels.flatMap(({ series }, i) => series.map((one) => ({ ...one, xAxisIndex: i, yAxisIndex: i }))),
  }
}
