import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createEngine } from '@halyard/core'
import { openApiDocument } from '@halyard/openapi'
import { createMemoryStorage } from '@halyard/storage-memory'
import { expect, it } from 'vitest'
import { readPublishedClient, routeOf } from './published-client.ts'

/** An operation with the statuses of its responses. */
interface OperationStatuses {
  readonly id: string
  readonly route: string
  readonly statuses: readonly string[]
}

/**
 * Reads the statuses that the functions of the published MCP server declare. The published TypeScript client declares
 * none: it rejects with every status from 300.
 */
function readDeclaredStatuses(): OperationStatuses[] {
  const entry = createRequire(import.meta.url).resolve('@launchdarkly/mcp-server/models/components')
  const folder = entry.replace(/dist[\\/].*$/, path.join('src', 'funcs'))
  return readdirSync(folder).map((file) => {
    const source = readFileSync(path.join(folder, file), 'utf8')
    const [, template = ''] = /pathToFunc\(\s*"([^"]+)"/.exec(source) ?? []
    const [, method = ''] = /method: "([A-Z]+)"/.exec(source) ?? []
    const lists = [...source.matchAll(/M\.(?:json|nil|jsonErr)\(\s*\[?([\d, ]+)/g)].map(([, list = '']) => list)
    const statuses = lists.flatMap((list) => list.match(/\d+/g) ?? [])
    return { id: file.replace('.ts', ''), route: routeOf(method, template), statuses: statuses.sort() }
  })
}

const definitions = await createEngine({ storage: createMemoryStorage() }).definitions()
const document = JSON.parse(JSON.stringify(openApiDocument(definitions, { version: '1.0.0' }))) as {
  paths: Record<string, Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
}
const served = new Map(
  definitions.map(({ id, method, path: template }): [string, OperationStatuses] => {
    const { responses = {} } = document.paths[template]?.[method.toLowerCase()] ?? {}
    const route = routeOf(method, template)
    return [route, { id, route, statuses: Object.keys(responses).sort() }]
  }),
)

/** Pairs of an operation of the MCP server and our operation with the same route. */
const pairs = readDeclaredStatuses().map((declared) => ({ declared, ours: served.get(declared.route) }))

const missingFrom = (statuses: readonly string[], others: readonly string[] = []) =>
  statuses.filter((status) => !others.includes(status))

/** Statuses that the MCP server declares and that our operation does not have, with the reason. */
const undocumented: Readonly<Record<string, string>> = {
  'listEnvironments 405': 'a request with an unsupported method belongs to no operation',
}

/** Statuses that our operations have and that the MCP server does not declare for some, with the reason. */
const undeclared: Readonly<Record<string, string>> = {
  400: 'an unknown version in the version header is refused for every operation',
  401: 'the MCP server declares it for flags, environments and the audit log only',
  403: 'a policy can refuse every operation',
  404: 'a project of the path can be missing',
  405: 'an environment that requires approvals refuses a direct change',
  409: 'a key can exist, and another caller can change the resource at the same time',
  413: 'a body has a maximum size',
  415: 'a body has a media type',
  429: 'every operation counts for the rate limit',
  500: 'an unexpected error can happen in every operation',
  503: 'the storage can be unreachable',
}

it('every operation of the published MCP server is served with the same status of success', () => {
  expect(pairs.length).toBe(20)
  const successes = ({ statuses = [] }: Partial<OperationStatuses> = {}) => statuses.filter((status) => status < '300')
  for (const { declared, ours } of pairs) {
    expect([declared.id, successes(ours)]).toEqual([declared.id, successes(declared)])
  }
})

it('every status that the published MCP server declares is documented, except some with a reason', () => {
  const missing = pairs.flatMap(({ declared, ours }) =>
    missingFrom(declared.statuses, ours?.statuses).map((status) => `${ours?.id} ${status}`),
  )
  expect(missing.sort()).toEqual(Object.keys(undocumented).sort())
})

it('a status that the published MCP server does not declare is one of those that every client must expect', () => {
  const additional = pairs.flatMap(({ declared, ours }) => missingFrom(ours?.statuses ?? [], declared.statuses))
  expect([...new Set(additional)].sort()).toEqual(Object.keys(undeclared))
})

/** Operations that respond with another status than 204 although the published TypeScript client reads no body. */
const otherThan204: Readonly<Record<string, string>> = {
  createBigSegmentExport: 'a creation responds with 201; the body has the id by which the export is read',
  createBigSegmentImport: 'a creation responds with 201; the body has the id by which the import is read',
  createDeploymentEvent: 'a creation responds with 201, also without a body',
  createExtinctions: 'a creation responds with 201, also without a body',
  deleteBranches: 'the request is a POST that deletes several branches: 200 without a body',
  putBranch: 'a PUT responds with 200 and the branch',
}

it('an operation whose response has no body in the published TypeScript client responds with 204, with listed exceptions', () => {
  const empty = readPublishedClient().operations.filter(({ response }) => response === undefined)
  const ours = empty.flatMap(({ route }) => served.get(route) ?? [])
  const others = ours.filter(({ statuses }) => !statuses.includes('204')).map(({ id }) => id)
  expect(others.sort()).toEqual(Object.keys(otherThan204))
  expect(ours.length).toBeGreaterThan(35)
})

it('an operation with a body in the published TypeScript client never responds with 204', () => {
  const full = readPublishedClient().operations.filter(({ response }) => response !== undefined)
  const ours = full.flatMap(({ route }) => served.get(route) ?? [])
  expect(ours.filter(({ statuses }) => statuses.includes('204')).map(({ id }) => id)).toEqual([])
  expect(ours.length).toBeGreaterThan(200)
})
