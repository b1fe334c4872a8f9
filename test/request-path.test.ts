import { type Profiler, Session } from 'node:inspector/promises'
import { createEngine, type EngineRequest } from '@halyard/core'
import { createMemoryStorage } from '@halyard/storage-memory'
import { beforeAll, expect, it } from 'vitest'

const engine = createEngine({ storage: createMemoryStorage() })
let authorization = ''

beforeAll(async () => {
  authorization = (await engine.bootstrap())?.token as string
  const as = authorization
  await engine.api.createProject({ body: { key: 'web', name: 'Web' } }, { as })
  for (const key of ['checkout', 'banner']) {
    await engine.api.createFlag({ projectKey: 'web', body: { key, name: key } }, { as })
    await engine.api.createTeam({ body: { key, name: key } }, { as })
  }
})

const rename = (name: string) => [{ op: 'replace', path: '/name', value: name }]

async function send(method: string, path: string, body?: unknown): Promise<number> {
  const headers: Readonly<Record<string, string>> = { authorization, 'content-type': 'application/json' }
  const request: EngineRequest = {
    method,
    path,
    query: '',
    header: (name) => headers[name],
    body: { kind: 'parsed', value: body },
  }
  return (await engine.handle(request)).status
}

/** Returns the source files of the core package whose functions run during a call. */
async function filesThatRun(call: () => Promise<number>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Debugger.enable')
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  try {
    await session.post('Profiler.takePreciseCoverage')
    expect(await call()).toBe(200)
    const { result } = await session.post('Profiler.takePreciseCoverage')
    const files: string[] = []
    for (const script of result) {
      const [, file] = /\/packages\/core\/src\/(.+)$/.exec(script.url) ?? []
      // The functions that adapters share run in the storage, which is another package.
      if (file === undefined || file.startsWith('storage/adapter/')) continue
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId: script.scriptId })
      if (script.functions.some((entry) => hasRun(entry, scriptSource))) files.push(file)
    }
    return files.sort()
  } finally {
    session.disconnect()
  }
}

/** Vitest replaces each export by a getter, which runs when another file reads the export. */
const exportGetter = /^\(\) => (\{ try \{ return [\w.]+ \} catch \{\} \}|(__vi_import_|__vite_ssr_import_)\d+__\.\w+)$/

/** Returns true if a function of the file itself has run. */
function hasRun({ ranges: [range] }: Profiler.FunctionCoverage, source: string): boolean {
  if (!range || range.count === 0) return false
  return !exportGetter.test(source.slice(range.startOffset, range.endOffset))
}

// The first call, for another document, imports the operation; it does not fill the cache of the second document.

it('a GET that the caches cannot serve runs code of at most 25 files', async () => {
  expect(await send('GET', '/api/v2/teams/banner')).toBe(200)
  const files = await filesThatRun(() => send('GET', '/api/v2/teams/checkout'))
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(25)
})

it('a PATCH of a flag runs code of at most 60 files', async () => {
  expect(await send('PATCH', '/api/v2/flags/web/banner', rename('Notice'))).toBe(200)
  const files = await filesThatRun(() => send('PATCH', '/api/v2/flags/web/checkout', rename('Pay')))
  expect(files.length, files.join('\n')).toBeLessThanOrEqual(60)
})
