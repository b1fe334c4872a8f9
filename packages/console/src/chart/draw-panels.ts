import type { EChartsCoreOption } from 'echarts/core'
import type { Palette } from './palette.ts'
import type { Panel } from './panels.ts'

/** Space above the first panel, between two panels, and below the last one, in pixels. */
const space = { top: 84, between: 92, bottom: 48 } as const

/** Width below which the names of rows have less space, in pixels. */
export const narrowWidth = 600

/** Returns the style of the title of a picture, which is cut when it is wider than the picture. */
export function titleStyle(color: string, width: number) {
  return { color, fontSize: width < narrowWidth ? 13 : 16, width: width - 24, overflow: 'truncate' as const }
}

/** Gives the names of rows two lines on a narrow picture. */
function narrowAxis({ axisLabel }: Panel['yAxis']) {
  return { axisLabel: { ...axisLabel, fontSize: 11, width: 84, overflow: 'break', lineHeight: 13 } }
}

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
 * @param width width of the picture, in pixels.
 */
export function panelOptions(
  title: string,
  panels: readonly Panel[],
  palette: Palette,
  width: number,
): EChartsCoreOption {
  const isNarrow = width < narrowWidth
  const { background, text } = palette
  const tops = panels.map((_, i) => heightOf(panels.slice(0, i + 1)) - space.bottom - (panels[i] as Panel).height)
  const bold = { color: text, fontSize: 13 }
  return {
    animation: false,
    useUTC: true,
    backgroundColor: background,
    textStyle: { fontFamily: 'system-ui, sans-serif', color: text },
    title: [
      { text: title, left: 12, top: 8, textStyle: titleStyle(text, width) },
      ...panels.map((panel, i) => ({ text: panel.title, left: 12, top: (tops[i] as number) - 44, textStyle: bold })),
    ],
    grid: panels.map(({ height }, i) => ({
      left: isNarrow ? 100 : 240,
      right: isNarrow ? 32 : 120,
      top: tops[i],
      height,
    })),
    xAxis: panels.map(({ xAxis }, gridIndex) => ({ ...xAxis, gridIndex })),
    yAxis: panels.map(({ yAxis }, gridIndex) => ({ ...yAxis, gridIndex, ...(isNarrow ? narrowAxis(yAxis) : {}) })),
    series: panels.flatMap(({ series }, i) => series.map((one) => ({ ...one, xAxisIndex: i, yAxisIndex: i }))),
  }
}
