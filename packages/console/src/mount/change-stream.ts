import type { EnvironmentRef } from '@halyard/core'
import type { ConsoleEngine } from './console-engine.ts'

/** Interval of heartbeats, ms. If the reader has closed the connection, the next heartbeat detects this. */
const heartbeatMs = 15_000

/** Interval between reads of an environment whose storage does not report changes, ms. */
const pollMs = 5_000

/**
 * Yields server-sent events: one for each change of flags in an environment, with the keys of the flags, and a comment
 * as a heartbeat.
 */
export async function* changeStream(
  engine: Pick<ConsoleEngine, 'evaluator'>,
  environment: EnvironmentRef,
): AsyncGenerator<string> {
  const evaluator = engine.evaluator(environment)
  let changed = new Set<string>()
  let wake = () => {}
  const stop = evaluator.onChange((keys) => {
    for (const key of keys) changed.add(key)
    wake()
  })
  try {
    await evaluator.ready()
    yield ': connected\n\n'
    for (;;) {
      if (changed.size === 0) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, evaluator.current ? heartbeatMs : pollMs)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
        // When the storage reports no changes, only these reads detect them, including changes of other processes.
        if (changed.size === 0) await evaluator.ready()
      }
      const keys = [...changed]
      changed = new Set()
      yield keys.length === 0 ? ': still connected\n\n' : `event: flags\ndata: ${JSON.stringify(keys)}\n\n`
    }
  } finally {
    stop()
  }
}
