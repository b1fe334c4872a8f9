import { createEngine } from '@halyard/core'
import { referenceProfile } from '@halyard/core/operations'
import { openApiDocument } from '@halyard/openapi'
import { createMemoryStorage } from '@halyard/storage-memory'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StorageReader } from '../../packages/core/src/storage/reader.ts'
import type { JsonSchema } from './published-client.ts'
import { valuesOf } from './response-arbitrary.ts'
import { publishedResponses } from './response-differences.ts'

interface DocumentedOperation {
  readonly responses: Readonly<Record<string, { content?: { 'application/json'?: { schema: JsonSchema } } }>>
}

const storage = createMemoryStorage()
const engine = createEngine({ storage })
const definitions = await engine.definitions()
const document = JSON.parse(JSON.stringify(openApiDocument(definitions, { version: '1.0.0' }))) as {
  paths: Record<string, Record<string, DocumentedOperation>>
  components: { schemas: Record<string, JsonSchema> }
}
const tx = new StorageReader(storage.account('default'))

type Body = Record<string, unknown>

const withEnvironments = (body: Body): Body => ({ environments: { items: [], totalCount: 0, _links: {} }, ...body })

const withKind = (body: Body): Body => ({ ...body, kind: 'kinesis' })

/** Properties of responses that their schemas do not state. The client has no names for the further kinds of destinations. */
const unstated: Readonly<Record<string, (body: Body) => Body>> = {
  createProject: withEnvironments,
  patchProject: withEnvironments,
  getBigSegmentImport: (body) => ({ ...body, status: 'complete' }),
  listDestinations: (body) => ({ ...body, items: (body.items as Body[]).map(withKind) }),
  createDestination: withKind,
  getDestination: withKind,
  patchDestination: withKind,
}

const cases = definitions.flatMap(({ id, method, path, success }) => {
  const declared = document.paths[path]?.[method.toLowerCase()]?.responses[success.status]?.content
  const schema = declared?.['application/json']?.schema
  const differences = publishedResponses.differencesOf(method, path)
  if (!schema || !differences) return []
  const bodies = valuesOf(schema, document.components.schemas).map((body) => unstated[id]?.(body as Body) ?? body)
  return [{ id, arbitrary: bodies, differences }]
})

describe('the profile gives the types of the published client to all responses that are declared', () => {
  it.each(cases)('$id', async ({ id, arbitrary, differences }) => {
    const reshape = referenceProfile.bodies[id] ?? ((body) => body)
    await fc.assert(
      fc.asyncProperty(arbitrary, async (body) => {
        const query = { projectKey: 'web', environmentKey: 'test' }
        const reshaped = await reshape(body, { account: 'default', params: { projectKey: 'web' }, query, tx })
        expect(differences(JSON.parse(JSON.stringify(reshaped)))).toEqual([])
      }),
      { numRuns: process.env.HALYARD_LONG_TESTS ? 100 : 15 },
    )
  })
})
