import { createEngine } from '@halyard/core'
import { interruption } from './cli-error.ts'
import type { Terminal } from './command.ts'
import { openStorage } from './open-storage.ts'
import { showCount } from './progress.ts'

export interface Compaction {
  readonly storage: string
  readonly account: string
  /** Days to summarise at most; undefined for all that are over. */
  readonly limit: number | undefined
}

/** Summarises past days of lead times. When it is interrupted, what was summarised stays, and the next time goes on. */
export async function compact({ storage, account, limit }: Compaction, terminal: Terminal): Promise<void> {
  const engine = createEngine({ storage: await openStorage(storage), account, clock: () => Date.now() })
  const count = showCount(terminal.stderr, 'days', { number: 1, line: 100 })
  const { signal } = terminal
  try {
    await engine.ready()
    const { days, more } = await engine.compact({
      signal,
      progress: count.at,
      ...(limit === undefined ? {} : { limit }),
    })
    if (signal.aborted) throw interruption(`${days} days were summarised; the next call goes on`)
    terminal.stdout.write(`${days} days summarised${more ? ', more are waiting' : ''}\n`)
  } finally {
    count.end()
    await engine.close()
  }
}
