/**
 * Prints how long `halyard serve` takes to roll back a guarded release: from the report that decides, sent to `/bulk`
 * as an SDK does, until the stream of SDKs shows that the flag serves the old variation. It is not a suite of `npm run
 * bench`, because the delay consists of intervals of the server, not of work.
 *
 *     node --import tsx bench/rollback-delay.ts
 */
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'

const repetitions = 10
const token = 'an-administrator-of-benchmarks'

interface RunningServer {
  readonly url: string
  readonly stop: () => void
}

/** Starts the server on a free port with its default intervals. */
function serve(): Promise<RunningServer> {
  const main = path.join(import.meta.dirname, '../packages/cli/src/main.ts')
  const options = ['--conditions=@halyard/source', '--import', 'tsx', main]
  const started = spawn(process.execPath, [...options, 'serve', '--port', '0', '--storage', 'memory'], {
    env: { ...process.env, HALYARD_TOKEN: token, HALYARD_LOG: 'json' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve) => {
    createInterface(started.stdout).on('line', (line) => {
      const url = /serves (http:\/\/\S+)/.exec(line)?.[1]
      if (url !== undefined) resolve({ url, stop: () => started.kill() })
    })
  })
}

const { url, stop } = await serve()

async function send<Body>(method: string, target: string, body?: object): Promise<Body> {
  const type = method === 'PATCH' ? 'application/json; domain-model=svc.semanticpatch' : 'application/json'
  const headers = { authorization: token, 'content-type': type }
  const init = { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) }
  const response = await fetch(`${url}/api/v2/${target}`, init)
  const text = await response.text()
  if (!response.ok) throw new Error(`${target}: ${response.status} ${text}`)
  return JSON.parse(text) as Body
}

/** Follows the stream of SDKs. The function that it returns resolves when a flag serves its second variation to all. */
async function followStream(sdkKey: string) {
  const { body } = await fetch(`${url}/all`, { headers: { authorization: sdkKey } })
  const waiting = new Map<string, (at: number) => void>()
  const reading = (async () => {
    let text = ''
    for await (const chunk of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as never)) {
      const parts = (text + chunk).split('\n\n')
      text = parts.pop() as string
      // Comment lines, which keep the connection open, can precede an event.
      for (const data of parts.flatMap((part) => /^event: patch\ndata: (.*)$/m.exec(part)?.[1] ?? [])) {
        const { data: flag } = JSON.parse(data) as { data: { key: string; fallthrough?: { variation?: number } } }
        if (flag.fallthrough?.variation === 1) waiting.get(flag.key)?.(performance.now())
      }
    }
  })()
  reading.catch(() => undefined)
  return (flagKey: string) =>
    new Promise<number>((resolve, reject) => {
      waiting.set(flagKey, resolve)
      const fail = () => reject(new Error(`the stream has not shown the rollback of ${flagKey} within a minute`))
      setTimeout(fail, 60_000).unref()
    })
}

/** Reports 400 contexts of each variation, of which 40 and 5 percent have an error. */
async function report(sdkKey: string, flagKey: string): Promise<void> {
  const creationDate = Date.now()
  const reason = { kind: 'FALLTHROUGH', inExperiment: true }
  const events = Array.from({ length: 800 }, (_, index) => {
    const variation = index % 2
    const user = `${flagKey}-${index}`
    const context = { kind: 'user', key: user }
    const exposure = { kind: 'feature', key: flagKey, version: 1, variation, value: 1, creationDate, context, reason }
    const error = { kind: 'custom', key: 'error', creationDate, contextKeys: { user } }
    return index < 800 * (variation === 0 ? 0.4 : 0.05) ? [exposure, error] : [exposure]
  })
  const headers = { authorization: sdkKey, 'content-type': 'application/json' }
  await fetch(`${url}/bulk`, { method: 'POST', headers, body: JSON.stringify(events.flat()) })
}

try {
  const metric = { key: 'errors', name: 'Errors', kind: 'custom', eventKey: 'error', unitAggregationType: 'average' }
  await send('POST', 'projects', { key: 'web', name: 'Web' })
  await send('POST', 'metrics/web', { ...metric, successCriteria: 'LowerThanBaseline' })
  const { apiKey } = await send<{ apiKey: string }>('GET', 'projects/web/environments/production')
  const rolledBack = await followStream(apiKey)
  const delays: number[] = []
  for (let index = 0; index < repetitions; index++) {
    const flagKey = `flag-${index}`
    interface Flag {
      readonly variations: readonly { readonly _id: string }[]
    }
    const { variations } = await send<Flag>('POST', 'flags/web', { key: flagKey, name: flagKey })
    const release = {
      kind: 'startAutomatedRelease',
      releaseKind: 'guarded',
      originalVariationId: variations[1]?._id,
      targetVariationId: variations[0]?._id,
      stages: [{ allocation: 50_000, durationMillis: 3_600_000 }],
      metrics: [{ key: 'errors' }],
      metricMonitoringPreferences: { errors: { autoRollback: true } },
    }
    const instructions = [{ kind: 'turnFlagOn' }, release]
    await send('PATCH', `flags/web/${flagKey}`, { environmentKey: 'production', instructions })
    const seen = rolledBack(flagKey)
    const sentAt = performance.now()
    await report(apiKey, flagKey)
    delays.push((await seen) - sentAt)
  }
  const sorted = delays.map(Math.round).toSorted((a, b) => a - b)
  console.log(`ms from the report to the stream, ${repetitions} releases: ${sorted.join(', ')}`)
} finally {
  stop()
}
process.exit()
