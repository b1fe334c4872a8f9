import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { drawOptions } from '../chart/draw-options.ts'
import { palettes, type Theme } from '../chart/palette.ts'
import type { Picture } from '../chart/picture.ts'
import { chartTable } from './chart-table.ts'
import { made } from './dom.ts'

use([LineChart, BarChart, GridComponent, TooltipComponent, CanvasRenderer])

const dark = matchMedia('(prefers-color-scheme: dark)')
const themeNow = (): Theme => (dark.matches ? 'dark' : 'light')

/**
 * Draws a picture into an element of the page, with a legend that shows and hides lines, and a table of the same
 * numbers.
 */
export function showChart(place: HTMLElement, picture: Picture): void {
  close(place)
  if (picture.lines.length === 0) {
    place.replaceChildren(made('p', { class: 'none' }, 'There are no deployments in this range.'))
    return
  }
  const hidden = new Set<string>()
  const drawn = made('div', { class: 'chart', role: 'img', 'aria-label': labelOf(picture) })
  const legend = made('div')
  // An open table stays open when another range is shown.
  const isOpen = place.querySelector('details')?.open ?? false
  place.replaceChildren(drawn, legend, chartTable(picture, isOpen))
  const chart = init(drawn, null, { renderer: 'canvas' })
  const draw = () => {
    const lines = picture.lines.filter(({ name }) => !hidden.has(name))
    chart.setOption(drawOptions({ ...picture, lines }, { theme: themeNow(), framed: false }), true)
  }
  const redraw = () => {
    legend.replaceChildren(legendOf(picture, hidden, draw))
    draw()
  }
  const resized = new ResizeObserver(() => chart.resize())
  resized.observe(drawn)
  dark.addEventListener('change', redraw)
  const end = () => {
    resized.disconnect()
    dark.removeEventListener('change', redraw)
  }
  open.set(place, { chart, end })
  redraw()
}

const open = new Map<HTMLElement, { readonly chart: EChartsType; end(): void }>()

function close(place: HTMLElement): void {
  const shown = open.get(place)
  if (!shown) return
  open.delete(place)
  shown.end()
  shown.chart.dispose()
}

function labelOf({ title, lines, buckets, unit, shape }: Picture): string {
  const kind = shape === 'bars' ? 'Bar chart' : 'Line chart'
  const names = lines.map(({ name }) => name).join(', ')
  return `${kind}: ${title.toLowerCase()} in ${unit}, ${buckets.length} points in time, of ${names}. The table below has the same numbers.`
}

function legendOf({ lines, title, shape }: Picture, hidden: Set<string>, draw: () => void): HTMLElement {
  const colours = palettes[themeNow()].lines
  const entries = lines.map(({ name, series, dash }) => {
    const box = made('input', { type: 'checkbox' })
    box.checked = !hidden.has(name)
    box.addEventListener('change', () => {
      if (box.checked) hidden.delete(name)
      else hidden.add(name)
      draw()
    })
    const swatch = made('span', { class: shape === 'bars' ? 'swatch bar' : 'swatch', 'aria-hidden': 'true' })
    swatch.style.borderTopColor = colours[series % colours.length]!
    if (shape !== 'bars') swatch.style.borderTopStyle = dash
    return made('label', {}, box, swatch, name)
  })
  return made(
    'fieldset',
    { class: 'legend' },
    made('legend', {}, `${shape === 'bars' ? 'Bars' : 'Lines'} of ${title.toLowerCase()}`),
    ...entries,
  )
}
