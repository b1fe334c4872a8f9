import { createEngine } from '@halyard/core'
import { referenceProfile } from '@halyard/core/operations'
import { openApiDocument } from '@halyard/openapi'
import { createMemoryStorage } from '@halyard/storage-memory'
import * as components from '@launchdarkly/mcp-server/models/components'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { StorageReader } from '../../packages/core/src/storage/reader.ts'
import type { JsonSchema } from './published-client.ts'
import { valuesOf } from './response-arbitrary.ts'
import { publishedResponses } from './response-differences.ts'

interface ResponseSchema {
  safeParse(body: unknown): {
    readonly error?: { readonly issues: readonly { readonly path: readonly unknown[]; readonly message: string }[] }
  }
}

/** Schemas of the published MCP server by the operation that its tools call. */
const toolResponses: Readonly<Record<string, ResponseSchema>> = {
  listEnvironments: components.Environments$inboundSchema,
  createFlag: components.FeatureFlag$inboundSchema,
  getFlag: components.FeatureFlag$inboundSchema,
  patchFlag: components.FeatureFlag$inboundSchema,
  listFlags: components.FeatureFlags$inboundSchema,
  getFlagStatusAcrossEnvironments: components.FeatureFlagStatusAcrossEnvironments$inboundSchema,
  createAIConfig: components.AIConfig$inboundSchema,
  getAIConfig: components.AIConfig$inboundSchema,
  patchAIConfig: components.AIConfig$inboundSchema,
  listAIConfigs: components.AIConfigs$inboundSchema,
  createAIConfigVariation: components.AIConfigVariation$inboundSchema,
  patchAIConfigVariation: components.AIConfigVariation$inboundSchema,
  getAIConfigVariation: components.AIConfigVariationsResponse$inboundSchema,
  getAIConfigTargeting: components.AIConfigTargeting$inboundSchema,
  patchAIConfigTargeting: components.AIConfigTargeting$inboundSchema,
  listRepositories: components.RepositoryCollectionRep$inboundSchema,
  listChangeLog: components.AuditLogEntryListingRepCollection$inboundSchema,
}

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

/**
 * Properties of responses that their schemas do not state. The client does not know the kinds of destinations that this
 * engine adds.
 */
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
  const differencesOf = [publishedResponses.differencesOf(method, path), toolDifferences(id)]
  const checks = differencesOf.filter((differences) => differences !== undefined)
  if (!schema || checks.length === 0) return []
  const bodies = valuesOf(schema, document.components.schemas).map((body) => unstated[id]?.(body as Body) ?? body)
  return [{ id, arbitrary: bodies, differences: (body: unknown) => checks.flatMap((differences) => differences(body)) }]
})

/** Returns a function that finds the differences of a response from the schema of the published MCP server. */
function toolDifferences(id: string): ((body: unknown) => string[]) | undefined {
  const schema = toolResponses[id]
  return (
    schema && ((body) => (schema.safeParse(body).error?.issues ?? []).map((issue) => `${issue.path} ${issue.message}`))
  )
}

describe('any declared response, reshaped by the reference profile', () => {
  it.each(cases)('of $id has the type of the published clients', async ({ id, arbitrary, differences }) => {
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
