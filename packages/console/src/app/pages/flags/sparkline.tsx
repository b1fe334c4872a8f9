import { texts } from '../../texts.ts'

/** Size of the drawing, CSS pixels. */
const size = { width: 84, height: 24 }

/** A small line of the counts of a week. It is not drawn when all of them are 0. */
export function Sparkline({ counts }: { counts: readonly number[] }) {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const highest = Math.max(...counts)
  const step = (size.width - 2) / Math.max(1, counts.length - 1)
  const points = counts.map((count, index) => {
    const y = size.height - 1 - (count / highest) * (size.height - 2)
    return `${(1 + index * step).toFixed(1)},${y.toFixed(1)}`
  })
  const label = texts.flags.evaluations(total.toLocaleString())
  return (
    <svg class="sparkline" role="img" aria-label={label} viewBox={`0 0 ${size.width} ${size.height}`} {...size}>
      <title>{label}</title>
      <polyline points={points.join(' ')} />
    </svg>
  )
}
