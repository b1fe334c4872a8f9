import { createEngine } from '@halyard/core'
import { interruptedError } from './cli-error.ts'
import type { Terminal } from './command.ts'
import { openStorage } from './open-storage.ts'
import { showCount } from './progress.ts'

export interface CompactOptions {
  readonly storage: string
  readonly account: string
  /** Maximum number of days to summarize; undefined for all past days. */
  readonly limit: number | undefined
}

/**
 * Summarizes past days of lead times. An interruption keeps the summaries that are complete, and the next run
 * continues.
 */
export async function compact({ storage, account, limit }: CompactOptions, terminal: Terminal): Promise<void> {
  const engine = createEngine({ storage: await openStorage(storage), account, clock: () => Date.now() })
  const count = showCount(terminal.stderr, 'days', { number: 1, line: 100 })
  const { signal } = terminal
  try {
    await engine.ready()
    const { days, more: hasMore } = await engine.compact({
      signal,
      progress: count.update,
      ...(limit === undefined ? {} : { limit }),
    })
    if (signal.aborted) throw interruptedError(`${days} days were summarized; the next run continues`)
    terminal.stdout.write(`${days} days summarized${hasMore ? ', more remain' : ''}\n`)
  } finally {
    count.end()
    await engine.close()
  }
}
