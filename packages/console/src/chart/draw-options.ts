import type { EChartsCoreOption } from 'echarts/core'
import { titleStyle } from './draw-panels.ts'
import { type Palette, palettes, shapes, type Theme } from './palette.ts'
import type { Picture, PictureLine } from './picture.ts'
import { numberFormatter, timeFormatter } from './unit.ts'

export interface DrawSettings {
  readonly theme: Theme
  /** Language of numbers and dates. Default: that of the runtime. */
  readonly locale?: string
  /** True when title and legend are part of the picture. */
  readonly framed: boolean
  /** Pixels; only of a framed picture. Default: 960. */
  readonly width?: number
}

/** Maximum number of points of a line that are marked. More markers would hide the line. */
const maxMarkers = 60

/** Returns the options with which the chart library draws a picture. */
export function drawOptions(picture: Picture, { theme, locale, framed, width = 960 }: DrawSettings): EChartsCoreOption {
  const { background, text, gridLine, lines: colors } = palettes[theme]
  const { buckets, lines, unit, title } = picture
  const hasMarkers = lines.every(({ values }) => values.filter((value) => value !== null).length <= maxMarkers)
  const span = (buckets.at(-1) ?? 0) - (buckets[0] ?? 0)
  const numbers = numberFormatter(locale)
  const moments = timeFormatter(locale, span)
  const label = { color: text, fontSize: 12 }
  return {
    animation: false,
    useUTC: true,
    backgroundColor: background,
    textStyle: { fontFamily: 'system-ui, sans-serif', color: text },
    title: { show: framed, text: title, left: 12, top: 8, textStyle: titleStyle(text, width) },
    legend: legendOf(palettes[theme], framed),
    grid: {
      left: 12,
      right: 20,
      top: framed ? 72 : 36,
      bottom: framed ? 24 + 24 * Math.ceil(lines.length / Math.max(1, Math.floor(width / 240))) : 8,
      outerBoundsMode: 'same',
      outerBoundsContain: 'axisLabel',
    },
    xAxis: {
      type: 'time',
      axisLabel: { ...label, hideOverlap: true, formatter: moments },
      axisLine: { lineStyle: { color: text } },
      axisTick: { lineStyle: { color: text } },
      splitLine: { show: false },
      splitNumber: 4,
      minInterval: span > 4 * 86_400_000 ? 86_400_000 : 3_600_000,
    },
    yAxis: {
      type: 'value',
      min: 0,
      name: unit,
      nameTextStyle: { ...label, align: 'left' },
      nameGap: 14,
      minInterval: picture.shape === 'bars' ? 1 : undefined,
      axisLabel: { ...label, formatter: numbers },
      splitLine: { lineStyle: { color: gridLine } },
    },
    ...(framed ? {} : { tooltip: tooltipOf(picture, palettes[theme], numbers) }),
    series: lines.map((line) => ({
      name: line.name,
      color: colors[line.series % colors.length],
      silent: framed,
      data: buckets.map((bucket, index) => [bucket, line.values[index]]),
      ...(picture.shape === 'bars' ? bars : curve(line, hasMarkers)),
    })),
  }
}

function legendOf({ text }: Palette, framed: boolean) {
  return {
    show: framed,
    bottom: 8,
    selectedMode: false,
    // Outside a browser the width of text is only estimated, so entries have extra space between them.
    itemGap: 28,
    itemWidth: 32,
    textStyle: { color: text },
    inactiveColor: text,
  }
}

function tooltipOf({ unit }: Picture, { background, text }: Palette, numbers: (value: number) => string) {
  return {
    trigger: 'axis',
    // Tooltips are drawn as text, because HTML tooltips have inline styles, which the page's content security policy
    // forbids.
    renderMode: 'richText',
    confine: true,
    backgroundColor: background,
    borderColor: text,
    textStyle: { color: text, fontSize: 12 },
    order: 'valueDesc',
    valueFormatter: (value: unknown) => (typeof value === 'number' ? `${numbers(value)} ${unit}` : '–'),
    axisPointer: { lineStyle: { color: text } },
  }
}

const bars = { type: 'bar', stack: 'all', barMaxWidth: 28, barMinWidth: 1 }

function curve({ series, dash }: PictureLine, hasMarkers: boolean) {
  return {
    type: 'line',
    symbol: shapes[series % shapes.length],
    symbolSize: 6,
    showSymbol: hasMarkers,
    showAllSymbol: true,
    // Values of buckets that are far apart are connected by one line. The markers show where a value was measured.
    connectNulls: true,
    lineStyle: { type: dash, width: 2 },
  }
}
