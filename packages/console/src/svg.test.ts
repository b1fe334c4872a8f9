import { describe, expect, it } from 'vitest'
import { type ChartResponse, deploymentFrequencySvg, leadTimeSvg } from './svg.ts'

const day = 86_400_000
const start = Date.UTC(2026, 2, 1)

function chart(
  names: readonly string[],
  buckets: number,
  isFilled: (index: number) => boolean = () => true,
): ChartResponse {
  const point = (index: number, rank: number) => {
    const y = isFilled(index) ? (1 + ((index + rank) % 5)) * day : 0
    return { x: start + index * day, y, values: { count: y > 0 ? 3 : 0, p50: y / 2, p90: y * 2 } }
  }
  const series = names.map((name, rank) => ({
    metadata: { name },
    data: Array.from({ length: buckets }, (_, index) => point(index, rank)),
  }))
  return { metadata: {}, series }
}

/** Returns the drawn lines with their colors: paths without fill and with a stroke color. */
const strokes = (svg: string) => [...svg.matchAll(/<path d="([^"]+)" fill="none"[^>]*stroke="(#\w+)"/g)]

describe('leadTimeSvg', () => {
  it('returns one document with a title and without references to other files', () => {
    const svg = leadTimeSvg(chart(['web'], 10), { title: 'Lead time of <web> & "more"' })
    expect(svg).toMatch(/^<svg role="img" width="960" height="480" [^>]*>\n<title>/)
    expect(svg).toContain('<title>Lead time of &#60;web&#62; &#38; &#34;more&#34;</title>')
    expect(svg.trimEnd()).toMatch(/<\/svg>$/)
    expect(svg.replaceAll(/xmlns(:xlink)?="[^"]*"/g, '')).not.toMatch(/https?:|<script|href=|url\((?!#)/)
  })

  it('draws a line with its name for each application', () => {
    const svg = leadTimeSvg(chart(['web', 'mail'], 10))
    expect(strokes(svg).map(([, , color]) => color)).toEqual(expect.arrayContaining(['#0b62a8', '#b3470b']))
    for (const text of ['web', 'mail', 'days']) expect(svg).toContain(`>${text}</text>`)
  })

  it('shows the suitable unit and starts the axis at 0', () => {
    const original = chart(['web'], 5)
    const minutes = {
      ...original,
      series: original.series.map((chartSeries) => ({
        ...chartSeries,
        data: chartSeries.data.map((point) => ({ ...point, y: 60_000 })),
      })),
    }
    expect(leadTimeSvg(minutes)).toContain('>minutes</text>')
    expect(leadTimeSvg(minutes)).toContain('>0</text>')
  })

  it('draws a line for each requested measure, all but the first dashed', () => {
    const svg = leadTimeSvg(chart(['web'], 10), {}, ['mean', 'p90'])
    expect(svg).toContain('>web, mean</text>')
    expect(svg).toContain('>web, P90</text>')
    expect(svg.match(/stroke-dasharray/g)?.length).toBeGreaterThan(0)
  })

  it('contains a notice when nothing was deployed', () => {
    const emptyText = 'Nothing was deployed in this range.'
    expect(leadTimeSvg(chart([], 0))).toContain(emptyText)
    expect(leadTimeSvg(chart(['web'], 10, () => false))).toContain(emptyText)
    expect(leadTimeSvg(chart(['web'], 10, (index) => index === 3))).not.toContain(emptyText)
  })

  it.each([1, 2000])('draws all of %i buckets', (buckets) => {
    const svg = leadTimeSvg(chart(['web'], buckets))
    expect(svg).not.toContain('NaN')
    const longestPath = Math.max(
      0,
      ...strokes(svg).map(([, path]) => (path!.match(/[ML ][\d.]+ [\d.]+|L/g) ?? []).length),
    )
    if (buckets > 1) expect(longestPath).toBeGreaterThanOrEqual(buckets)
    else expect(svg).toContain('fill="#0b62a8"')
  })

  it('uses dark colors for the dark theme', () => {
    expect(leadTimeSvg(chart(['web'], 3), { theme: 'dark' })).toContain('fill="#1a1f26"')
    expect(leadTimeSvg(chart(['web'], 3))).toContain('fill="#ffffff"')
  })

  it('escapes markup in names', () => {
    const svg = leadTimeSvg(chart(['<script>alert(1)</script>'], 3))
    expect(svg).not.toContain('<script>')
  })
})

describe('deploymentFrequencySvg', () => {
  it('draws bars for buckets with deployments, and the unit', () => {
    const counts = {
      metadata: {},
      series: [{ metadata: { name: 'web' }, data: [0, 3, 0].map((y, index) => ({ x: start + index * day, y })) }],
    }
    const svg = deploymentFrequencySvg(counts)
    expect(svg).toContain('>deployments</text>')
    expect(svg).toContain('fill="#0b62a8"')
  })
})
