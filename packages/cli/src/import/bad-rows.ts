import type { Terminal } from '../command.ts'

export interface BadRows {
  report(line: number, reason: string): void
  count(): number
}

const maxReported = 20

/** Reports invalid rows with their line numbers. Only the first twenty are printed; the others are counted. */
export function badRows(terminal: Terminal): BadRows {
  let count = 0
  return {
    report(line, reason) {
      count++
      if (count <= maxReported) terminal.stderr.write(`line ${line}: ${reason}; skipped\n`)
      if (count === maxReported + 1) terminal.stderr.write('further invalid lines are skipped without a message\n')
    },
    count: () => count,
  }
}
