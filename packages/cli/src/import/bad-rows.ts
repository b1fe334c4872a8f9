import type { Terminal } from '../command.ts'

export interface BadRows {
  tell(line: number, reason: string): void
  count(): number
}

const mostTold = 20

/** Reports invalid rows with their line numbers. Only the first twenty are printed; the others are counted. */
export function badRows(terminal: Terminal): BadRows {
  let count = 0
  return {
    tell(line, reason) {
      count++
      if (count <= mostTold) terminal.stderr.write(`line ${line}: ${reason}; skipped\n`)
      if (count === mostTold + 1) terminal.stderr.write('further invalid lines are skipped without a message\n')
    },
    count: () => count,
  }
}
