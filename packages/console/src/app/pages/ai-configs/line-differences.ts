/** A line of two texts: in both, or in one of them. */
export interface ComparedLine {
  readonly kind: 'same' | 'removed' | 'added'
  readonly text: string
}

/** Maximum number of cells of the table of the longest common subsequence; longer texts are compared as a whole. */
const maxCells = 1_000_000

/** Returns the lines of two texts in order. The lines of the longest common subsequence count as the same. */
export function lineDifferences(before: string, after: string): ComparedLine[] {
  const [old, current] = [before.split('\n'), after.split('\n')]
  if (old.length * current.length > maxCells) return [...marked('removed', old), ...marked('added', current)]
  const lengths = commonLengths(old, current)
  const lengthAt = (i: number, j: number) => lengths[i]?.[j] ?? 0
  const lines: ComparedLine[] = []
  let [i, j] = [0, 0]
  while (i < old.length && j < current.length) {
    if (old[i] === current[j]) {
      lines.push({ kind: 'same', text: old[i] ?? '' })
      i++
      j++
    } else if (lengthAt(i + 1, j) >= lengthAt(i, j + 1)) lines.push({ kind: 'removed', text: old[i++] ?? '' })
    else lines.push({ kind: 'added', text: current[j++] ?? '' })
  }
  return [...lines, ...marked('removed', old.slice(i)), ...marked('added', current.slice(j))]
}

function marked(kind: ComparedLine['kind'], lines: readonly string[]): ComparedLine[] {
  return lines.map((text) => ({ kind, text }))
}

/** Returns the lengths of the longest common subsequences of all suffixes of two lists. */
function commonLengths(old: readonly string[], current: readonly string[]): number[][] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(current.length + 1).fill(0))
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = current.length - 1; j >= 0; j--) {
      const row = lengths[i] as number[]
      const next = lengths[i + 1] as number[]
      row[j] = old[i] === current[j] ? (next[j + 1] ?? 0) + 1 : Math.max(next[j] ?? 0, row[j + 1] ?? 0)
    }
  }
  return lengths
}
