import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent, TooltipComponent } from 'echarts/components'
import { type EChartsType, init, use } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { drawOptions } from '../chart/draw-options.ts'
import { palettes, type Theme } from '../chart/palette.ts'
import type { Picture } from '../chart/picture.ts'
import { chartTable } from './chart-table.ts'
import { createElement } from './dom.ts'

use([LineChart, BarChart, GridComponent, TooltipComponent, CanvasRenderer])

const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const currentTheme = (): Theme => (prefersDark.matches ? 'dark' : 'light')

/**
 * Draws a picture into an element of the page, with a legend that shows and hides lines, and a table of the same
 * numbers.
 */
export function showChart(container: HTMLElement, picture: Picture): void {
  close(container)
  if (picture.lines.length === 0) {
    container.replaceChildren(createElement('p', { class: 'none' }, 'There are no deployments in this range.'))
    return
  }
  const hidden = new Set<string>()
  const canvasContainer = createElement('div', { class: 'chart', role: 'img', 'aria-label': labelOf(picture) })
  const legend = createElement('div')
  // An open table stays open when another range is shown.
  const isOpen = container.querySelector('details')?.open ?? false
  container.replaceChildren(canvasContainer, legend, chartTable(picture, isOpen))
  const chart = init(canvasContainer, null, { renderer: 'canvas' })
  const draw = () => {
    const lines = picture.lines.filter(({ name }) => !hidden.has(name))
    chart.setOption(drawOptions({ ...picture, lines }, { theme: currentTheme(), framed: false }), true)
  }
  const redraw = () => {
    legend.replaceChildren(legendOf(picture, hidden, draw))
    draw()
  }
  const resizeObserver = new ResizeObserver(() => chart.resize())
  resizeObserver.observe(canvasContainer)
  prefersDark.addEventListener('change', redraw)
  const stopListening = () => {
    resizeObserver.disconnect()
    prefersDark.removeEventListener('change', redraw)
  }
  openCharts.set(container, { chart, stopListening })
  redraw()
}

const openCharts = new Map<HTMLElement, { readonly chart: EChartsType; stopListening(): void }>()

function close(container: HTMLElement): void {
  const openChart = openCharts.get(container)
  if (!openChart) return
  openCharts.delete(container)
  openChart.stopListening()
  openChart.chart.dispose()
}

function labelOf({ title, lines, buckets, unit, shape }: Picture): string {
  const kind = shape === 'bars' ? 'Bar chart' : 'Line chart'
  const names = lines.map(({ name }) => name).join(', ')
  return `${kind}: ${title.toLowerCase()} in ${unit}, ${buckets.length} points in time, of ${names}. The table below has the same numbers.`
}

function legendOf({ lines, title, shape }: Picture, hidden: Set<string>, draw: () => void): HTMLElement {
  const colors = palettes[currentTheme()].lines
  const entries = lines.map(({ name, series, dash }) => {
    const box = createElement('input', { type: 'checkbox' })
    box.checked = !hidden.has(name)
    box.addEventListener('change', () => {
      if (box.checked) hidden.delete(name)
      else hidden.add(name)
      draw()
    })
    const swatch = createElement('span', { class: shape === 'bars' ? 'swatch bar' : 'swatch', 'aria-hidden': 'true' })
    swatch.style.borderTopColor = colors[series % colors.length]!
    if (shape !== 'bars') swatch.style.borderTopStyle = dash
    return createElement('label', {}, box, swatch, name)
  })
  return createElement(
    'fieldset',
    { class: 'legend' },
    createElement('legend', {}, `${shape === 'bars' ? 'Bars' : 'Lines'} of ${title.toLowerCase()}`),
    ...entries,
  )
}
