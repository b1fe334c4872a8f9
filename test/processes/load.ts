import { setTimeout as delay } from 'node:timers/promises'
import type { ServedEngine, ServedResponse } from './served-engine.ts'

/** Processes on one storage, some of which the test kills and replaces. */
export interface Cluster {
  /** Returns a running process; each call returns the next process. */
  any(): ServedEngine
  all(): readonly ServedEngine[]
  /** Kills one process and starts another. */
  replaceOne(): Promise<void>
  readonly kills: () => number
}

export async function startCluster(size: number, start: () => Promise<ServedEngine>): Promise<Cluster> {
  let running = await Promise.all(Array.from({ length: size }, start))
  let nextIndex = 0
  let kills = 0
  return {
    any: () => running[nextIndex++ % running.length] as ServedEngine,
    all: () => running,
    kills: () => kills,
    async replaceOne() {
      const [oldest, ...remaining] = running
      running = remaining
      kills++
      await oldest?.kill()
      running = [...running, await start()]
    },
  }
}

/** The requests that the clients have sent, and the results that they have observed. */
export interface LoadRecord {
  /** Tags by flag whose addition was confirmed with a success. */
  readonly added: Map<string, Set<string>>
  /** Tags and keys whose response was lost because the process was killed. */
  readonly unknown: Set<string>
  /** Keys of flags whose creation, or deletion, was confirmed. */
  readonly created: Set<string>
  readonly deleted: Set<string>
  readonly revokedTokens: Set<string>
  /** Times for which a process accepted a token after another process had revoked it, ms. */
  readonly revocationMs: number[]
  /** Unexpected responses. */
  readonly problems: string[]
  conflicts: number
  requests: number
}

export const projectKey = 'web'
const flagsPath = `/api/v2/flags/${projectKey}`
const semantic = 'application/json; domain-model=svc.semanticpatch'

export interface Load {
  readonly cluster: Cluster
  readonly account: LoadRecord
  readonly counters: readonly string[]
  readonly over: () => boolean
}

export function emptyRecord(): LoadRecord {
  const sets = { unknown: new Set<string>(), created: new Set<string>(), deleted: new Set<string>() }
  const measurements = { revokedTokens: new Set<string>(), revocationMs: [], problems: [] }
  return { added: new Map(), ...sets, ...measurements, conflicts: 0, requests: 0 }
}

/**
 * Sends a request. Returns undefined when the connection broke because the process was killed; any other break is a
 * problem, and so is a 5xx.
 */
async function sendRequest(load: Load, server: ServedEngine, ...request: Parameters<ServedEngine['send']>) {
  load.account.requests++
  const [method, path] = request
  try {
    const response = await server.send(...request)
    if (response.status >= 500) load.account.problems.push(`${method} ${path}: ${response.status}`)
    return response
  } catch (error) {
    if (!server.killed())
      load.account.problems.push(`${method} ${path}: ${String(error)} ${String((error as Error).cause)}`)
    return undefined
  }
}

function expectStatus(load: Load, label: string, response: ServedResponse | undefined, ...expected: number[]): boolean {
  if (!response) return false
  if (!expected.includes(response.status)) {
    load.account.problems.push(`${label}: ${response.status} ${JSON.stringify(response.body)}`)
  }
  return response.status === expected[0]
}

interface CounterFlag {
  readonly tags: readonly string[]
  readonly _version: number
}

/** Adds tags to flags that other clients change concurrently: with both kinds of patch, with and without If-Match. */
export async function addTags(load: Load, name: string): Promise<void> {
  for (let n = 0; !load.over(); n++) {
    const flag = load.counters[n % load.counters.length] as string
    await addTag(load, flag, `${name}-${n}`, n)
  }
}

async function addTag(load: Load, flag: string, tag: string, variant: number): Promise<void> {
  const { account, cluster } = load
  const path = `${flagsPath}/${flag}`
  for (let attempt = 0; ; attempt++) {
    const server = cluster.any()
    const read = await sendRequest(load, server, 'GET', path)
    if (!read || !expectStatus(load, `get ${flag}`, read, 200)) return
    const ifMatch = variant % 2 === 0 ? (read.headers.get('etag') ?? 'none') : undefined
    const body = [{ op: 'add', path: '/tags/-', value: tag }]
    const semanticBody = { environmentKey: 'production', instructions: [{ kind: 'addTags', values: [tag] }] }
    const request = variant % 3 === 0 ? { body: semanticBody, type: semantic } : { body }
    const response = await sendRequest(load, server, 'PATCH', path, { ...request, ifMatch })
    if (!response) return void account.unknown.add(tag)
    if (expectStatus(load, `patch ${flag}`, response, 200, 409)) {
      const tags = account.added.get(flag) ?? new Set()
      account.added.set(flag, tags.add(tag))
      return checkOwnWrite(load, server, path, tag, (response.body as CounterFlag)._version)
    }
    account.conflicts++
    await delay(Math.random() * Math.min(100, 2 ** attempt))
  }
}

async function checkOwnWrite(
  load: Load,
  server: ServedEngine,
  path: string,
  tag: string,
  version: number,
): Promise<void> {
  const read = await sendRequest(load, server, 'GET', path)
  if (!read || !expectStatus(load, path, read, 200)) return
  const { tags, _version } = read.body as CounterFlag
  if (!tags.includes(tag)) load.account.problems.push(`stale: ${path} has no ${tag} after it was added`)
  if (_version < version) load.account.problems.push(`stale: ${path} has version ${_version} after ${version}`)
}

/** Creates flags and deletes every second one, and reads each result through the process that wrote it. */
export async function createAndDelete(load: Load, name: string): Promise<void> {
  const { account, cluster } = load
  for (let n = 0; !load.over(); n++) {
    const key = `${name}-${n}`
    const path = `${flagsPath}/${key}`
    const server = cluster.any()
    const created = await sendRequest(load, server, 'POST', flagsPath, { body: { key, name: key } })
    if (!created) account.unknown.add(key)
    if (!expectStatus(load, `make ${key}`, created, 201)) continue
    account.created.add(key)
    expectStatus(load, `get ${key}, just created`, await sendRequest(load, server, 'GET', path), 200)
    if (n % 2 === 0) continue
    const deleted = await sendRequest(load, server, 'DELETE', path)
    if (!deleted) account.unknown.add(key)
    if (!expectStatus(load, `delete ${key}`, deleted, 204)) continue
    account.deleted.add(key)
    expectStatus(load, `get ${key}, just deleted`, await sendRequest(load, server, 'GET', path), 404)
  }
}

/** Reads lists, each of which must succeed. */
export async function readLists(load: Load): Promise<void> {
  for (let n = 0; !load.over(); n++) {
    const path = n % 2 === 0 ? `${flagsPath}?limit=10` : `/api/v2/projects/${projectKey}`
    expectStatus(load, path, await sendRequest(load, load.cluster.any(), 'GET', path), 200)
  }
}

/**
 * Creates tokens, uses them on every process, and revokes them through one process. Measures how long the other
 * processes still accept the tokens.
 */
export async function revokeTokens(load: Load): Promise<void> {
  const { account, cluster } = load
  while (!load.over()) {
    const server = cluster.any()
    const created = await sendRequest(load, server, 'POST', '/api/v2/tokens', {
      body: { name: 'Short', role: 'reader' },
    })
    if (!created || !expectStatus(load, 'create a token', created, 201)) continue
    const { _id, token } = created.body as { _id: string; token: string }
    const servers = cluster.all()
    const uses = await Promise.all(
      servers.map((otherServer) => sendRequest(load, otherServer, 'GET', '/api/v2/projects', { token })),
    )
    for (const response of uses) expectStatus(load, 'use a token', response, 200)
    if (!expectStatus(load, 'revoke a token', await sendRequest(load, server, 'DELETE', `/api/v2/tokens/${_id}`), 204))
      continue
    account.revokedTokens.add(_id)
    const revokedAt = performance.now()
    await Promise.all(servers.map((otherServer) => watchRevoked(load, otherServer, token, revokedAt)))
  }
}

async function watchRevoked(load: Load, server: ServedEngine, token: string, revokedAt: number): Promise<void> {
  let lastAccepted = revokedAt
  for (let refusals = 0; refusals < 3; ) {
    const sentAt = performance.now()
    const response = await sendRequest(load, server, 'GET', '/api/v2/projects', { token })
    if (!response) return
    if (expectStatus(load, 'use a revoked token', response, 401, 200)) refusals++
    else lastAccepted = sentAt
    if (sentAt - revokedAt > 5000) {
      load.account.problems.push('a revoked token is still accepted')
      break
    }
  }
  load.account.revocationMs.push(lastAccepted - revokedAt)
}
