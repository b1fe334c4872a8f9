import { describe, expect, it } from 'vitest'
import { experimentSvg, type ReleaseChart, releaseChart, releaseSvg, type VariationLift } from './svg.ts'

const day = 86_400_000
const start = Date.UTC(2026, 2, 1)

function lift(variation: string, lower: number, estimate: number, upper: number): VariationLift {
  return { variation, lower, estimate, upper, verdict: lower > 0 ? 'better' : upper < 0 ? 'worse' : 'inconclusive' }
}

const metrics = [
  { metric: 'Conversion', variations: [lift('large', 0.07, 0.12, 0.17), lift('green', -0.04, 0.02, 0.08)] },
  { metric: 'Revenue <USD>', variations: [lift('large', -0.14, -0.08, -0.02), lift('green', -0.15, 0.05, 0.25)] },
]

/** Returns the horizontal positions of the marked estimates, in the order of the rows. */
const estimatesIn = (svg: string) =>
  [...svg.matchAll(/<circle cx="([\d.]+)" cy="[\d.]+" r="5"/g)].map(([, x]) => Number(x))

describe('experimentSvg', () => {
  const points = [0, 1, 2].map((i) => ({
    time: start + i * day,
    lower: -0.3 + i / 10,
    estimate: 0.1,
    upper: 0.5 - i / 10,
  }))
  const chart = { metrics, overTime: { metric: 'Conversion', series: [{ variation: 'large', points }] } }
  const svg = experimentSvg(chart, { title: 'Buttons & <more>' })

  it('returns one document with a title and without references to other files', () => {
    expect(svg).toMatch(
      /^<svg role="img" width="960" height="\d+" [^>]*>\n<title>Buttons &#38; &#60;more&#62;<\/title>/,
    )
    expect(svg.trimEnd()).toMatch(/<\/svg>$/)
    expect(svg.replaceAll(/xmlns(:xlink)?="[^"]*"/g, '')).not.toMatch(/https?:|<script|href=|url\((?!#)/)
  })

  it('names each metric and variation, with the estimate, the interval and the verdict', () => {
    for (const text of [
      'Conversion: large',
      'Revenue &lt;USD&gt;: green',
      'better: +12% (+7% to +17%)',
      '+2% (-4% to +8%)',
      'worse: -8% (-14% to -2%)',
      'Conversion over time',
    ])
      expect(svg).toContain(`>${text}</text>`)
  })

  it('keeps the text of an interval inside a narrow picture', () => {
    const width = 256
    const variations = [lift('large', -0.9, -0.85, 4), lift('green', -0.9, 3.9, 4)]
    const narrow = experimentSvg({ metrics: [{ metric: 'Conversion', variations }] }, { width })
    const middles = [...narrow.matchAll(/x="([\d.]+)" y="[\d.]+"[^>]*>([^<]* to [^<]*)</g)]
    expect(middles.length).toBe(2)
    for (const [, x, text = ''] of middles) {
      expect(Number(x)).toBeGreaterThanOrEqual(text.length * 3)
      expect(Number(x)).toBeLessThanOrEqual(width - text.length * 3)
    }
  })

  it('places the estimates in proportion to their values', () => {
    const [large, green, revenueLarge, revenueGreen] = estimatesIn(svg) as [number, number, number, number]
    const pixelsPerPercent = (large - green) / 10
    expect(pixelsPerPercent).toBeGreaterThan(0)
    expect((green - revenueLarge) / 10).toBeCloseTo(pixelsPerPercent, 2)
    expect((revenueGreen - green) / 3).toBeCloseTo(pixelsPerPercent, 2)
  })

  it('has the height that its rows need, and no second panel when there are no differences over time', () => {
    const heightIn = (text: string) => Number(/height="(\d+)"/.exec(text)?.[1])
    const [first] = metrics
    expect(heightIn(svg)).toBeGreaterThan(heightIn(experimentSvg({ metrics })))
    expect(heightIn(experimentSvg({ metrics }))).toBeGreaterThan(
      heightIn(experimentSvg({ metrics: first ? [first] : [] })),
    )
    expect(experimentSvg({ metrics })).not.toContain('over time')
  })
})

describe('releaseSvg', () => {
  const release: ReleaseChart = {
    stages: [
      { share: 0.05, startedAt: start, endedAt: start + day, state: 'completed' },
      { share: 0.5, startedAt: start + day, endedAt: start + 3 * day, state: 'rolled-back' },
    ],
    metrics: [{ metric: 'Errors', variations: [{ ...lift('new', 0.2, 0.5, 0.8), verdict: 'worse' }] }],
  }

  it('draws a bar for each stage, whose length is the duration of the stage', () => {
    const svg = releaseSvg(release)
    for (const text of ['5%', '50%', 'completed', 'rolled back', 'Errors', 'worse: +50% (+20% to +80%)'])
      expect(svg).toContain(`>${text}</text>`)
    const widthOf = (color: string) => {
      const [, d = ''] = new RegExp(`<path d="([^"]+)" fill="${color}"`).exec(svg) ?? []
      const xs = [...d.matchAll(/[ML]([\d.]+) /g)].map(([, x]) => Number(x))
      return Math.max(...xs) - Math.min(...xs)
    }
    expect(widthOf('#b3264f') / widthOf('#1b7a3d')).toBeCloseTo(2, 1)
  })

  it('draws the remaining time of the current stage, and the stages that are planned after it', () => {
    const planned = { share: 0.5, startedAt: start + 2 * day, endedAt: start + 4 * day, state: 'planned' as const }
    const current = { share: 0.05, startedAt: start, endedAt: start + day, state: 'current' as const }
    const svg = releaseSvg({ stages: [{ ...current, plannedUntil: start + 2 * day }, planned], metrics: [] })
    for (const text of ['5%', 'current', '50%', 'planned']) expect(svg).toContain(`>${text}</text>`)
    // Both stages last two days, and a bar covers the first half of the current stage.
    const widths = [...svg.matchAll(/<path d="([^"]+)" [^>]*stroke-dasharray/g)].map(([, d = '']) => {
      const xs = [...d.matchAll(/[ML]([\d.]+) /g)].map(([, x]) => Number(x))
      return Math.max(...xs) - Math.min(...xs)
    })
    expect(widths.length).toBe(2)
    expect((widths[1] as number) / (widths[0] as number)).toBeCloseTo(1, 1)
  })

  it.each([
    [960, 'stopped'],
    [340, 'stopped'],
    [340, 'rolled-back'],
    [340, 'planned'],
  ] as const)(
    'writes states inside the chart, or beside the names of rows when it is narrow: %i pixels, %s',
    (width, state) => {
      const stages = [0, 1, 2].map((i) => ({ share: 0.1, startedAt: start + i * day, endedAt: start + 3 * day, state }))
      const svg = releaseSvg({ stages, metrics: [] }, { width })
      const texts = [...svg.matchAll(/<text ([^>]*)>(stopped|rolled back|planned|10%)<\/text>/g)].map(
        ([, tag = '', text = '']) => {
          const x = Number(/x="([\d.]+)"/.exec(tag)?.[1] ?? /translate\(([\d.]+) /.exec(tag)?.[1])
          const anchor = /text-anchor="(\w+)"/.exec(tag)?.[1]
          const length = text.length * 6
          const from = anchor === 'end' ? x - length : anchor === 'middle' ? x - length / 2 : x
          return { text, from, until: from + length }
        },
      )
      const names = texts.filter(({ text }) => text === '10%')
      const states = texts.filter(({ text }) => text !== '10%')
      expect([names.length, states.length]).toEqual([3, 3])
      for (const { from, until } of states) {
        expect(from).toBeGreaterThan(Math.max(...names.map((name) => name.until)))
        expect(until).toBeLessThanOrEqual(width)
      }
    },
  )

  it('draws only the stages of a release without metrics', () => {
    expect(releaseSvg({ ...release, metrics: [] })).not.toContain('Difference')
  })
})

describe('releaseChart', () => {
  const stages = [
    { allocation: 1_000, durationMillis: day },
    { allocation: 50_000, durationMillis: 2 * day },
    { allocation: 80_000, durationMillis: day },
  ]
  const release = {
    stages,
    latestStageIndex: 1,
    stageStartedAt: `${start + day}`,
    passedStages: [{ stageIndex: 0, startedAt: `${start}`, endedAt: `${start + day}` }],
  }
  const now = start + 2 * day

  it('has the past stages, the current stage until its next step, and the planned stages', () => {
    const running = { ...release, status: 'running', nextStepAt: `${start + 3 * day}` } as never
    expect(releaseChart(running, [], now).stages).toEqual([
      { share: 0.01, startedAt: start, endedAt: start + day, state: 'completed' },
      { share: 0.5, startedAt: start + day, endedAt: now, plannedUntil: start + 3 * day, state: 'current' },
      { share: 0.8, startedAt: start + 3 * day, endedAt: start + 4 * day, state: 'planned' },
    ])
  })

  it.each([
    ['held', 'held', now],
    ['stopped', 'stopped', start + 36 * 3_600_000],
    ['rolledBack', 'rolled-back', start + 36 * 3_600_000],
    ['completed', 'completed', start + 36 * 3_600_000],
  ])('plans no stage of a release that is %s', (status, state, endedAt) => {
    const ended = { ...release, status, ...(status === 'held' ? {} : { endedAt: `${endedAt}` }) } as never
    const [, last, ...others] = releaseChart(ended, [], now).stages
    expect(last).toEqual({ share: 0.5, startedAt: start + day, endedAt, state })
    expect(others).toEqual([])
  })
})
