import { describe, expect, it } from 'vitest'
import { type ChartAnswer, deploymentFrequencySvg, leadTimeSvg } from './svg.ts'

const day = 86_400_000
const start = Date.UTC(2026, 2, 1)

function chart(names: readonly string[], buckets: number, isFilled: (at: number) => boolean = () => true): ChartAnswer {
  const point = (at: number, rank: number) => {
    const y = isFilled(at) ? (1 + ((at + rank) % 5)) * day : 0
    return { x: start + at * day, y, values: { count: y > 0 ? 3 : 0, p50: y / 2, p90: y * 2 } }
  }
  const series = names.map((name, rank) => ({
    metadata: { name },
    data: Array.from({ length: buckets }, (_, at) => point(at, rank)),
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
    expect(strokes(svg).map(([, , colour]) => colour)).toEqual(expect.arrayContaining(['#0b62a8', '#b3470b']))
    for (const text of ['web', 'mail', 'days']) expect(svg).toContain(`>${text}</text>`)
  })

  it('shows the suitable unit and starts the axis at 0', () => {
    const quick = chart(['web'], 5)
    const minutes = {
      ...quick,
      series: quick.series.map((one) => ({ ...one, data: one.data.map((point) => ({ ...point, y: 60_000 })) })),
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
    const nothing = 'Nothing was deployed in this range.'
    expect(leadTimeSvg(chart([], 0))).toContain(nothing)
    expect(leadTimeSvg(chart(['web'], 10, () => false))).toContain(nothing)
    expect(leadTimeSvg(chart(['web'], 10, (at) => at === 3))).not.toContain(nothing)
  })

  it.each([1, 2000])('draws all of %i buckets', (buckets) => {
    const svg = leadTimeSvg(chart(['web'], buckets))
    expect(svg).not.toContain('NaN')
    const longest = Math.max(0, ...strokes(svg).map(([, path]) => (path!.match(/[ML ][\d.]+ [\d.]+|L/g) ?? []).length))
    if (buckets > 1) expect(longest).toBeGreaterThanOrEqual(buckets)
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
      series: [{ metadata: { name: 'web' }, data: [0, 3, 0].map((y, at) => ({ x: start + at * day, y })) }],
    }
    const svg = deploymentFrequencySvg(counts)
    expect(svg).toContain('>deployments</text>')
    expect(svg).toContain('fill="#0b62a8"')
  })
})
