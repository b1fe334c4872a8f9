/**
 * Returns the candidates to which a text can be changed by the fewest insertions, removals and replacements of a
 * character (Levenshtein distance), in their order.
 */
export function nearestTexts(text: string, candidates: readonly string[]): readonly string[] {
  let least = Number.POSITIVE_INFINITY
  let nearest: string[] = []
  for (const candidate of candidates) {
    const distance = distanceUpTo(least, text, candidate)
    if (distance > least) continue
    if (distance < least) nearest = []
    least = distance
    nearest.push(candidate)
  }
  return nearest
}

/** Returns the distance of two texts, or infinity as soon as it is greater than a limit. */
function distanceUpTo(limit: number, a: string, b: string): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const current = [i]
    let best = i
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const distance = Math.min(replaced, (previous[j] as number) + 1, (current[j - 1] as number) + 1)
      best = Math.min(best, distance)
      current.push(distance)
    }
    if (best > limit) return Number.POSITIVE_INFINITY
    previous = current
  }
  return previous[b.length] as number
}
