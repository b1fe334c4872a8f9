import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, vi } from 'vitest'
import { halyardProcess, temporaryFolder } from './halyard-process.ts'

const token = 'an-administrator-of-tests'
const traceId = '0af7651916cd43dd8448eb211c80319c'
const caller = 'b7ad6b7169203331'
const sdk = pathToFileURL(path.resolve(import.meta.dirname, 'register-telemetry.mjs')).href

interface Span {
  readonly name: string
  readonly traceId: string
  readonly spanId: string
  readonly parent?: string
}

it('serve reports calls and their storage queries to the preloaded OpenTelemetry SDK, in the trace of the caller', async () => {
  const spans = path.join(temporaryFolder(), 'spans.ndjson')
  const env = { NODE_OPTIONS: `--import ${sdk}`, SPANS: spans, HALYARD_TOKEN: token }
  const running = halyardProcess(['serve', '--port', '0', '--storage', 'memory', '--telemetry'], env)
  const [, url] = await running.printed(/Halyard serves (\S+) /)
  const response = await fetch(`${url}/api/v2/projects`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json', traceparent: `00-${traceId}-${caller}-01` },
    body: JSON.stringify({ key: 'web', name: 'Web' }),
  })
  expect(response.status).toBe(201)
  const [call, commit] = await vi.waitFor(() => {
    const ownSpans = readFileSync(spans, 'utf8')
      .trim()
      .split('\n')
      .map((line): Span => JSON.parse(line))
      .filter((span) => span.traceId === traceId)
    const expectedSpans = ['POST /api/v2/projects', 'storage commit'].map((name) =>
      ownSpans.find((span) => span.name === name),
    )
    for (const span of expectedSpans) expect(span).toBeDefined()
    return expectedSpans as [Span, Span]
  }, 10_000)
  expect(call.parent).toBe(caller)
  expect(commit.parent).toBe(call.spanId)
})
