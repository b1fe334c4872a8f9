import { createInterface } from 'node:readline'
import { createEngine } from '@halyard/core'
import { createWebhookSender } from '@halyard/webhook-sender'
import { openStorage } from '../../packages/cli/src/open-storage.ts'
import { type AcknowledgedChange, deletedPrefix } from './acknowledged.ts'

/** Name of the first writer on a storage. */
const firstRun = 'run0'

const as = { role: 'admin' } as const
const projectKey = 'web'
const clientCount = 4

/** Runs several concurrent clients that write at full speed until the process is killed. */
async function write(storageOption: string, run: string, receiver: string | undefined): Promise<void> {
  const send = createWebhookSender({ allowPrivate: true })
  const engine = createEngine({ storage: await openStorage(storageOption), webhooks: { send } })
  await engine.migrate()
  // The first writer creates the project and the webhook; the test kills it only after that.
  if (run === firstRun) {
    await engine.api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
    if (receiver) await engine.api.createWebhook({ body: { url: receiver, sign: false, on: true } }, { as })
  }
  printLine('writes')
  const runClient = async (name: string) => {
    for (let n = 0; ; n++) await changeFlag(`${n % 3 === 0 ? deletedPrefix : 'staying'}-${name}-${n}`)
  }

  async function changeFlag(key: string): Promise<void> {
    const keys = { projectKey, flagKey: key }
    await engine.api.createFlag({ projectKey, body: { key, name: key, tags: [] } }, { as })
    acknowledge({ did: 'make', key })
    const tag = `tag-${key}`
    await engine.api.patchFlag({ ...keys, body: [{ op: 'add', path: '/tags/-', value: tag }] }, { as })
    acknowledge({ did: 'tag', key, tag })
    // Changes two documents and adds a log entry.
    const instructions = [{ kind: 'turnFlagOn' as const }]
    await engine.api.patchFlag({ ...keys, body: { environmentKey: 'production', instructions } }, { as })
    acknowledge({ did: 'turn on', key })
    if (!key.startsWith(deletedPrefix)) return
    await engine.api.deleteFlag(keys, { as })
    acknowledge({ did: 'delete', key })
  }

  /** Delivers, so that some writers are killed after sending a message and before recording that. */
  const deliver = async () => {
    for (;;) {
      await engine.runDueTasks({ limit: 20 })
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  await Promise.all([
    ...Array.from({ length: clientCount }, (_, i) => runClient(`${run}-${i}`)),
    ...(receiver ? [deliver()] : []),
  ])
}

function acknowledge(change: AcknowledgedChange): void {
  printLine(JSON.stringify(change))
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`)
}

// All modules are loaded before the line `go` arrives, so that a killed writer is replaced immediately.
const [, , storageOption = '', run = '', receiver] = process.argv
const lines = createInterface({ input: process.stdin })
lines.once('line', () => void write(storageOption, run, receiver))
// Ends with its parent process.
lines.once('close', () => process.exit())
