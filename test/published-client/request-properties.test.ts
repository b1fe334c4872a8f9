import { createEngine } from '@halyard/core'
import { openApiDocument } from '@halyard/openapi'
import { createMemoryStorage } from '@halyard/storage-memory'
import * as components from '@launchdarkly/mcp-server/models/components'
import { expect, it } from 'vitest'
import { type JsonSchema, readPublishedClient, routeOf } from './published-client.ts'

const definitions = await createEngine({ storage: createMemoryStorage() }).definitions()
const document = JSON.parse(JSON.stringify(openApiDocument(definitions, { version: '1.0.0' }))) as {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: JsonSchema }> } }>>
  components: { schemas: Record<string, JsonSchema> }
}
const client = readPublishedClient()

const writes = definitions.flatMap((operation) => {
  const { method, path } = operation
  const ofClient = client.operations.find(({ route }) => route === routeOf(method, path))
  return ofClient && method !== 'GET' ? [{ operation, ofClient }] : []
})

/** Properties of requests that the engine refuses, with the reason. */
const refused = {
  'createProject .environments.*.source': 'environments are not copied',
  'createEnvironment .source': 'environments are not copied',
  'createProject .namingConvention': 'keys of flags have no further rules',
  'createMembers .*.password': 'members sign in at the host application',
  'createRole .basePermissions': 'a role that says nothing about an action denies it',
  'createRole .resourceCategory': 'roles have no categories',
  'createApprovalRequest .integrationConfig': 'approvals are given in this engine',
  'createApprovalRequestForFlag .integrationConfig': 'approvals are given in this engine',
  'createApprovalRequestForFlag .operatingOnId': 'an instruction names what it changes',
  'postHoldout .prerequisiteflagkey': 'holdouts have no prerequisites',
  'patchTeam .instructions': 'the schema of semantic patches is that of another media type',
}

it('writing operations accept all properties of the requests that the published client sends', () => {
  const unknown = writes.flatMap(({ operation, ofClient }) => {
    const sent = ofClient.parameters.find((parameter) => parameter.in === 'body')?.schema
    const properties = sent ? unknownProperties(sent, acceptedBy(operation), 5) : []
    return properties.map((property) => `${operation.id} ${property}`)
  })
  expect([...new Set(unknown)].sort()).toEqual(Object.keys(refused).sort())
})

/** Schemas of the request bodies of the tools of the published MCP server, by the operation that they call. */
const toolRequests: Readonly<Record<string, unknown>> = {
  createFlag: components.FeatureFlagBody$inboundSchema,
  createAIConfig: components.AIConfigPost$inboundSchema,
  patchAIConfig: components.AIConfigPatch$inboundSchema,
  createAIConfigVariation: components.AIConfigVariationPost$inboundSchema,
  patchAIConfigVariation: components.AIConfigVariationPatch$inboundSchema,
  patchAIConfigTargeting: components.AIConfigTargetingPatch$inboundSchema,
}

it('writing operations accept all properties of the requests that the published MCP server sends', () => {
  const unknown = Object.entries(toolRequests).flatMap(([id, schema]) => {
    const accepted = acceptedBy(definitions.find((operation) => operation.id === id))
    return unknownProperties(schemaOfTool(schema), accepted, 5).map((property) => `${id} ${property}`)
  })
  expect(unknown).toEqual([])
})

/** Returns the schema of a request body of an operation. */
function acceptedBy(operation: { readonly method: string; readonly path: string } | undefined): JsonSchema {
  const { method = '', path = '' } = operation ?? {}
  const content = document.paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {}
  return Object.values(content)[0]?.schema ?? {}
}

/** The parts of the definition of a schema of the MCP server that name its properties. */
interface ToolSchema {
  readonly shape?: Readonly<Record<string, unknown>>
  readonly _def: Readonly<Record<'schema' | 'innerType' | 'type', unknown>> & { getter?(): unknown }
}

function schemaOfTool(schema: unknown): JsonSchema {
  const { shape, _def: definition } = schema as ToolSchema
  if (shape) {
    const properties = Object.entries(shape).map(([name, property]) => [name, schemaOfTool(property)])
    return { type: 'object', properties: Object.fromEntries(properties) }
  }
  if (definition.type) return { type: 'array', items: schemaOfTool(definition.type) }
  const inner = definition.schema ?? definition.innerType ?? definition.getter?.()
  return inner ? schemaOfTool(inner) : {}
}

it('writing operations accept all query parameters that the published client sends', () => {
  const unknown = writes.flatMap(({ operation: { id, query }, ofClient }) => {
    const known = Object.keys((query as { entries?: object } | undefined)?.entries ?? {})
    const sent = ofClient.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    return sent.filter((name) => ![...known, 'dryRun'].includes(name)).map((name) => `${id} ?${name}`)
  })
  expect(unknown).toEqual([])
})

/**
 * Returns the paths of the properties of one schema that no object of another schema can have.
 *
 * @param depth number of levels to compare.
 */
function unknownProperties(sent: JsonSchema, accepted: JsonSchema, depth: number, path = ''): string[] {
  const type = resolve(sent, client.definitions)
  const alternatives = alternativesOf(accepted)
  if (!type || depth === 0) return []
  if (type.type === 'array') {
    return alternatives.flatMap(({ items }) =>
      items ? unknownProperties(type.items as JsonSchema, items as JsonSchema, depth - 1, `${path}.*`) : [],
    )
  }
  const objects = alternatives.filter(({ properties, additionalProperties }) => properties ?? additionalProperties)
  if (objects.length === 0) return []
  return Object.entries((type.properties ?? {}) as Record<string, JsonSchema>).flatMap(([name, property]) => {
    const known = objects
      .map(({ properties }) => (properties as Record<string, JsonSchema> | undefined)?.[name])
      .filter((each) => each !== undefined)
    const inner = `${path}.${name}`
    if (known.length > 0) return known.flatMap((each) => unknownProperties(property, each, depth - 1, inner))
    return objects.some(({ additionalProperties }) => additionalProperties) ? [] : [inner]
  })
}

/** Returns the schemas of objects and arrays that a schema allows. */
function alternativesOf(schema: JsonSchema): JsonSchema[] {
  const resolved = resolve(schema, document.components.schemas)
  if (!resolved) return []
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((name) => (resolved[name] ?? []) as JsonSchema[])
  const { properties, items, additionalProperties } = resolved
  return [...parts.flatMap(alternativesOf), ...((properties ?? items ?? additionalProperties) ? [resolved] : [])]
}

function resolve(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema | undefined {
  const { $ref } = schema
  return typeof $ref === 'string' ? named[$ref.split('/').at(-1) ?? ''] : schema
}
