import { createInterface } from 'node:readline'
import { createEngine } from '@halyard/core'
import { createWebhookSender } from '@halyard/webhook-sender'
import { openStorage } from '../../packages/cli/src/open-storage.ts'
import { type Acknowledged, goingPrefix } from './acknowledged.ts'

/** What the first writer on a storage is called. */
const firstRun = 'run0'

const as = { role: 'admin' } as const
const projectKey = 'web'
const lanes = 4

/** Writes at full speed in several lanes, for ever. */
async function write(storageOption: string, run: string, receiver: string | undefined): Promise<void> {
  const send = createWebhookSender({ allowPrivate: true })
  const engine = createEngine({ storage: await openStorage(storageOption), webhooks: { send } })
  await engine.migrate()
  // The first one prepares, and is not killed before it has.
  if (run === firstRun) {
    await engine.api.createProject({ body: { key: projectKey, name: 'Web' } }, { as })
    if (receiver) await engine.api.createWebhook({ body: { url: receiver, sign: false, on: true } }, { as })
  }
  say('writes')
  const lane = async (name: string) => {
    for (let n = 0; ; n++) await lifeOfFlag(`${n % 3 === 0 ? goingPrefix : 'staying'}-${name}-${n}`)
  }

  async function lifeOfFlag(key: string): Promise<void> {
    const place = { projectKey, featureFlagKey: key }
    await engine.api.createFlag({ projectKey, body: { key, name: key, tags: [] } }, { as })
    acknowledge({ did: 'make', key })
    const tag = `tag-${key}`
    await engine.api.patchFlag({ ...place, body: [{ op: 'add', path: '/tags/-', value: tag }] }, { as })
    acknowledge({ did: 'tag', key, tag })
    // Of two documents and a log entry.
    const instructions = [{ kind: 'turnFlagOn' as const }]
    await engine.api.patchFlag({ ...place, body: { environmentKey: 'production', instructions } }, { as })
    acknowledge({ did: 'turn on', key })
    if (!key.startsWith(goingPrefix)) return
    await engine.api.deleteFlag(place, { as })
    acknowledge({ did: 'delete', key })
  }

  /** So that some are killed between a message and the note that it was sent. */
  const deliver = async () => {
    for (;;) {
      await engine.runDueTasks({ limit: 20 })
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }

  await Promise.all([...Array.from({ length: lanes }, (_, i) => lane(`${run}-${i}`)), ...(receiver ? [deliver()] : [])])
}

function acknowledge(change: Acknowledged): void {
  say(JSON.stringify(change))
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

// Everything is loaded when it is told to go, so that a killed one is replaced at once.
const [, , storageOption = '', run = '', receiver] = process.argv
const lines = createInterface({ input: process.stdin })
lines.once('line', () => void write(storageOption, run, receiver))
// The end of its parent is its own.
lines.once('close', () => process.exit())
