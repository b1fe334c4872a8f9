import type { Terminal } from '../command.ts'

export interface BadRows {
  tell(line: number, reason: string): void
  count(): number
}

const mostTold = 20

/** Tells bad rows with their lines, the first twenty of them; the rest are counted. */
export function badRows(terminal: Terminal): BadRows {
  let count = 0
  return {
    tell(line, reason) {
      count++
      if (count <= mostTold) terminal.stderr.write(`line ${line}: ${reason}; skipped\n`)
      if (count === mostTold + 1) terminal.stderr.write('more bad lines are skipped without being told\n')
    },
    count: () => count,
  }
}
