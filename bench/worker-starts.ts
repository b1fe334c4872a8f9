import { readdirSync, readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { Miniflare, type MiniflareOptions } from 'miniflare'
import { specOperationNames } from '../test/packages/spec-operation-names.ts'
import { root } from '../test/root.ts'

/** The sources of the Workers whose starts are compared. They treat each caller as an administrator of their host. */
export const workers = {
  empty: `export default { fetch: () => new Response('ok') }`,
  twenty: `
    import { createEngineOf, ${specOperationNames().join(', ')} } from '@halyard/core/operations'
    import { createMemoryStorage } from '@halyard/storage-memory'
    import { createFetchHandler } from '@halyard/transport-fetch'
    ${servedBy(`createEngineOf({ operations: [${specOperationNames().join(', ')}] })({ storage: createMemoryStorage() })`)}`,
  all: `
    import { createEngine } from '@halyard/core'
    import { createMemoryStorage } from '@halyard/storage-memory'
    import { createFetchHandler } from '@halyard/transport-fetch'
    ${servedBy('createEngine({ storage: createMemoryStorage() })')}`,
}

function servedBy(engine: string): string {
  return `
    let handler
    export default {
      fetch(request) {
        handler ??= createFetchHandler(${engine}, { identify: () => ({ service: 'bench', role: 'admin' }) })
        return handler(request)
      },
    }`
}

/** Bundles a Worker from the built packages, as the tool of its platform does. */
export async function bundleWorker(source: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: 'es2022',
    write: false,
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}

/**
 * Starts workerd with a Worker, and returns the processor time until its first response, ms: of workerd itself, of the
 * Worker's code, and of the call.
 */
export async function coldStart(contents: string): Promise<number> {
  const before = new Set(childProcesses())
  const worker = new Miniflare({
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents }],
    compatibilityDate: '2025-06-01',
  } as MiniflareOptions)
  try {
    const address = new URL('/api/v2/webhooks', await worker.ready)
    const response = await fetch(address)
    await response.text()
    if (!response.ok) throw new Error(`the Worker responded with ${response.status}`)
    return childProcesses()
      .filter((id) => !before.has(id))
      .reduce((sum, id) => sum + processorMs(id), 0)
  } finally {
    await worker.dispose()
  }
}

/** Returns the ids of the processes that this process has started. */
function childProcesses(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === process.pid)
    .map(Number)
}

function parentOf(id: string): number | undefined {
  try {
    // The name of the program, in parentheses, can contain spaces.
    return Number(readFileSync(`/proc/${id}/stat`, 'utf8').replace(/.*\) /s, '').split(' ')[1])
  } catch {
    // The process has ended.
    return undefined
  }
}

/** Returns the processor time of all threads of a process, ms. */
function processorMs(id: number): number {
  const threads = readdirSync(`/proc/${id}/task`)
  return threads.reduce((sum, thread) => {
    const [nanoseconds] = readFileSync(`/proc/${id}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(nanoseconds) / 1e6
  }, 0)
}
