import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Change } from '@halyard/core'
import { createPgliteStorage } from '@halyard/storage-pglite'

/** What the process says: the data directory is open, the storage refused to, or the commit of a name is done. */
export type Report = { readonly opened: true } | { readonly refused: string } | { readonly committed: string }

export interface PgliteProcess {
  readonly pid: number
  /** The next thing that the process says; undefined when it has ended and said all. */
  next(): Promise<Report | undefined>
  /** SIGKILL, and wait until it is gone. */
  kill(): Promise<void>
}

/**
 * Starts a Node process that opens a data directory, says how that went, and stays.
 *
 * @param writes the beginning of names that it commits one after the other, for ever; undefined: it writes nothing.
 */
export function startPgliteProcess(dataDir: string, writes?: string): PgliteProcess {
  const child = fork(fileURLToPath(import.meta.url), [dataDir, ...(writes === undefined ? [] : [writes])], {
    execArgv: ['--conditions=@halyard/source', '--import', 'tsx'],
  })
  const reports = readReports(child)
  return {
    pid: child.pid ?? 0,
    next: async () => (await reports.next()).value,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

async function* readReports(child: ChildProcess): AsyncGenerator<Report, undefined> {
  const said: Report[] = []
  let wake = () => {}
  let ended = false
  child.on('message', (report: Report) => {
    said.push(report)
    wake()
  })
  // Comes after the last message, unlike `exit`.
  child.once('close', () => {
    ended = true
    wake()
  })
  for (;;) {
    const report = said.shift()
    if (report) yield report
    else if (ended) return undefined
    else await new Promise<void>((resolve) => (wake = resolve))
  }
}

/** A commit of a pair, a member and a sample: whole or not at all. */
function pairNamed(name: string): Change[] {
  const insert = (scope: string): Change => ({
    do: 'insert',
    id: { collection: 'pairs', scope, key: name },
    body: name,
    fields: {},
  })
  return [
    insert('left'),
    insert('right'),
    { do: 'add-members', set: { name: 'names', scope: '' }, members: [name] },
    {
      do: 'append',
      series: { name: 'times', scope: '' },
      samples: [{ id: name, at: 1, label: '', values: [], body: null }],
    },
  ]
}

async function run(dataDir: string, writes: string | undefined, report: (report: Report) => void): Promise<void> {
  const storage = createPgliteStorage({ dataDir })
  try {
    await storage.migrate()
  } catch (error) {
    return report({ refused: String(error) })
  }
  report({ opened: true })
  for (let n = 0; writes !== undefined; n++) {
    const name = `${writes}-${n}`
    const { outcome } = await storage.account('acme').commit(pairNamed(name))
    if (outcome !== 'committed') throw new Error(`${name}: ${outcome}`)
    report({ committed: name })
  }
}

// The open channel to its parent keeps the process alive, and it ends with its parent.
if (process.send && process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , dataDir = '', writes] = process.argv
  process.once('disconnect', () => process.exit())
  await run(dataDir, writes, (report) => process.send?.(report))
}
