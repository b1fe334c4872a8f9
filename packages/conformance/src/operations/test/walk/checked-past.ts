import { createEngine, type Engine } from '@halyard/core'
import type { Storage } from '@halyard/core/storage'
import { expect } from 'vitest'
import { inProcessHarness } from '../../../transport/in-process-harness.ts'
import { adminToken } from '../../../transport/seeded-engine.ts'
import type { TransportClient, TransportRequest, TransportResponse } from '../../../transport/transport-harness.ts'
import { accountResponses } from '../account-responses.ts'
import { changedCollections } from '../logged-state.ts'
import { openWalk } from './checked-walk.ts'
import { ingestedCollection, withoutVersion } from './replayed-entries.ts'

/** The account at one moment. */
interface RecordedMoment {
  readonly time: number
  /** Responses of reading operations: status 200, by request. */
  readonly responses: ReadonlyMap<TransportRequest, string>
  /** Stored documents, by collection, scope and key. */
  readonly documents: ReadonlyMap<string, string>
}

/** Number of differences that a failure lists. */
const maxListed = 12

/**
 * Paths of responses that show the present state even in the past: data that other systems report, and keys of big
 * segments.
 */
const reportedPaths = new RegExp(
  [
    '/(code-refs|engineering-insights/deployments|contexts|context-instances|context-attributes)\\b',
    '/(user-search|user-attributes)\\b',
    '/usage/evaluations\\b',
    '/applications/[^/]+/versions\\b',
    '/segments/[^/]+/[^/]+/[^/]+/(imports|exports|users|contexts)\\b',
    // Users, but not the settings that flags have for them.
    '/users/[^/]+/[^/]+(/[^/]+)?$',
  ].join('|'),
)

/**
 * Properties that an engine of the past returns as they are now: secrets, and versions. A version also increases when a
 * document is written without a change.
 */
const currentProperties =
  /("(_version|apiKey|mobileKey|secret|displayKey)":("[^"]*"|\d+)|"value":"(sdk-|mob-|\*{8})[^"]*"),?/g

/**
 * Walks an account, and asserts that the engine of the past has the documents and the responses of each moment at which
 * the walk was interrupted.
 *
 * @param size `moments`: number of interruptions; `writes`: number of writes between two of them.
 */
export async function checkPast(
  storage: Storage,
  seed: number,
  size: { readonly moments: number; readonly writes: number },
): Promise<void> {
  let time = Date.UTC(2026, 0, 2)
  let isStopped = false
  const clock = () => (isStopped ? time : ++time)
  const engine = createEngine({
    storage,
    clock,
    rateLimit: false,
    dataExportRoleArn: 'arn:aws:iam::123456789012:role/data-export',
  })
  await engine.migrate()
  await engine.bootstrap({ token: adminToken })
  const operations = await engine.definitions()
  const client = await inProcessHarness.open(engine)
  const account = storage.account('default')
  const walk = await openWalk({ operations, clients: [client], account, seed })
  const moments: RecordedMoment[] = []
  for (let i = 0; i < size.moments; i++) {
    await walk.run(size.writes)
    isStopped = true
    const responses = new Map<TransportRequest, string>()
    await accountResponses(operations, recorded(client, responses), account)
    moments.push({ time, responses, documents: await exportedDocuments(engine) })
    isStopped = false
  }
  const differences: string[] = []
  for (const moment of moments) differences.push(...(await differencesAt(engine, client, moment)))
  expect(differences.slice(0, maxListed)).toEqual([])
  await engine.close()
}

function recorded(client: TransportClient, responses: Map<TransportRequest, string>): TransportClient {
  return {
    async send(request) {
      const response = await client.send(request)
      if (response.status === 200 && isCompared(request, response)) responses.set(request, response.body)
      return response
    },
    close: async () => {},
  }
}

function isCompared({ path }: TransportRequest, { headers }: TransportResponse): boolean {
  return !reportedPaths.test(path.split('?')[0] ?? '') && /json/.test(headers['content-type'] ?? '')
}

async function differencesAt(
  engine: Engine,
  client: TransportClient,
  { time, responses, documents }: RecordedMoment,
): Promise<readonly string[]> {
  const differences: string[] = []
  const past = await exportedDocuments(engine.at(time))
  for (const name of new Set([...documents.keys(), ...past.keys()])) {
    const [expected, actual] = [documents.get(name), past.get(name)]
    if (expected !== actual) differences.push(`document ${name}: ${actual} instead of ${expected}`)
  }
  const headers = { 'halyard-at': new Date(time).toISOString() }
  for (const [request, expected] of responses) {
    const { body } = await client.send({ ...request, headers: { ...request.headers, ...headers } })
    if (contentOf(body) !== contentOf(expected))
      differences.push(`${request.path}: ${difference(contentOf(body), contentOf(expected))}`)
  }
  return differences
}

/** Returns the parts of two texts around the first character that differs. */
function difference(actual: string, expected: string): string {
  const index = [...expected].findIndex((character, i) => actual[i] !== character)
  const part = (text: string) => text.slice(Math.max(0, index - 80), index + 80)
  return `${part(actual)} instead of ${part(expected)}`
}

/** Returns a response with its properties in sorted order, without the properties that show the present state. */
function contentOf(body: string): string {
  return withoutVersion(JSON.parse(body)).replace(currentProperties, '')
}

function isLogged(collection: string): boolean {
  return changedCollections.includes(collection) && collection !== ingestedCollection
}

/** Returns the exported documents whose changes the change log lists, by collection, scope and key, as text. */
async function exportedDocuments(engine: Pick<Engine, 'export'>): Promise<ReadonlyMap<string, string>> {
  let text = ''
  for await (const piece of engine.export()) text += piece
  const documents = new Map<string, string>()
  for (const line of text.split('\n')) {
    const record = line === '' ? {} : JSON.parse(line)
    if (record.kind === 'document' && isLogged(record.collection))
      documents.set(`${record.collection} ${record.scope} ${record.key}`, withoutVersion(record.body))
  }
  return documents
}
