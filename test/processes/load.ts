import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, ServedEngine } from './served-engine.ts'

/** Processes on one storage, some of which the test kills and replaces. */
export interface Cluster {
  /** Returns a running process, the next one at each call. */
  any(): ServedEngine
  all(): readonly ServedEngine[]
  /** Kills one process and starts another. */
  replaceOne(): Promise<void>
  readonly kills: () => number
}

export async function startCluster(size: number, start: () => Promise<ServedEngine>): Promise<Cluster> {
  let running = await Promise.all(Array.from({ length: size }, start))
  let turn = 0
  let kills = 0
  return {
    any: () => running[turn++ % running.length] as ServedEngine,
    all: () => running,
    kills: () => kills,
    async replaceOne() {
      const [oldest, ...others] = running
      running = others
      kills++
      await oldest?.kill()
      running = [...running, await start()]
    },
  }
}

/** What the clients have done, and what they have observed. */
export interface Account {
  /** Tags by flag whose addition was confirmed with a success. */
  readonly added: Map<string, Set<string>>
  /** Tags and keys whose response was lost because the process was killed. */
  readonly unknown: Set<string>
  /** Keys of flags whose creation, or deletion, was confirmed. */
  readonly made: Set<string>
  readonly deleted: Set<string>
  readonly revokedTokens: Set<string>
  /** For how long a process accepted a token that another had revoked, ms. */
  readonly revocationMs: number[]
  /** Unexpected responses. */
  readonly faults: string[]
  conflicts: number
  requests: number
}

export const projectKey = 'web'
const flagsPath = `/api/v2/flags/${projectKey}`
const semantic = 'application/json; domain-model=svc.semanticpatch'

export interface Load {
  readonly cluster: Cluster
  readonly account: Account
  readonly counters: readonly string[]
  readonly over: () => boolean
}

export function emptyAccount(): Account {
  const sets = { unknown: new Set<string>(), made: new Set<string>(), deleted: new Set<string>() }
  const told = { revokedTokens: new Set<string>(), revocationMs: [], faults: [] }
  return { added: new Map(), ...sets, ...told, conflicts: 0, requests: 0 }
}

/**
 * Sends a request. Returns undefined when the connection broke because the process was killed; any other break is a
 * problem, and so is a 5xx.
 */
async function ask(load: Load, one: ServedEngine, ...request: Parameters<ServedEngine['send']>) {
  load.account.requests++
  const [method, path] = request
  try {
    const answer = await one.send(...request)
    if (answer.status >= 500) load.account.faults.push(`${method} ${path}: ${answer.status}`)
    return answer
  } catch (error) {
    if (!one.killed()) load.account.faults.push(`${method} ${path}: ${String(error)} ${String((error as Error).cause)}`)
    return undefined
  }
}

function expectStatus(load: Load, what: string, answer: Answer | undefined, ...wanted: number[]): boolean {
  if (!answer) return false
  if (!wanted.includes(answer.status)) {
    load.account.faults.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  return answer.status === wanted[0]
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

async function addTag(load: Load, flag: string, tag: string, way: number): Promise<void> {
  const { account, cluster } = load
  const path = `${flagsPath}/${flag}`
  for (let attempt = 0; ; attempt++) {
    const one = cluster.any()
    const seen = await ask(load, one, 'GET', path)
    if (!seen || !expectStatus(load, `get ${flag}`, seen, 200)) return
    const ifMatch = way % 2 === 0 ? (seen.headers.get('etag') ?? 'none') : undefined
    const body = [{ op: 'add', path: '/tags/-', value: tag }]
    const instructed = { environmentKey: 'production', instructions: [{ kind: 'addTags', values: [tag] }] }
    const given = way % 3 === 0 ? { body: instructed, type: semantic } : { body }
    const answer = await ask(load, one, 'PATCH', path, { ...given, ifMatch })
    if (!answer) return void account.unknown.add(tag)
    if (expectStatus(load, `patch ${flag}`, answer, 200, 409)) {
      const tags = account.added.get(flag) ?? new Set()
      account.added.set(flag, tags.add(tag))
      return seeOwnWrite(load, one, path, tag, (answer.body as CounterFlag)._version)
    }
    account.conflicts++
    await delay(Math.random() * Math.min(100, 2 ** attempt))
  }
}

async function seeOwnWrite(load: Load, one: ServedEngine, path: string, tag: string, version: number): Promise<void> {
  const seen = await ask(load, one, 'GET', path)
  if (!seen || !expectStatus(load, path, seen, 200)) return
  const { tags, _version } = seen.body as CounterFlag
  if (!tags.includes(tag)) load.account.faults.push(`stale: ${path} has no ${tag} after it was added`)
  if (_version < version) load.account.faults.push(`stale: ${path} has version ${_version} after ${version}`)
}

/** Creates flags and deletes every second one, and reads each result through the process that wrote it. */
export async function makeAndDelete(load: Load, name: string): Promise<void> {
  const { account, cluster } = load
  for (let n = 0; !load.over(); n++) {
    const key = `${name}-${n}`
    const path = `${flagsPath}/${key}`
    const one = cluster.any()
    const made = await ask(load, one, 'POST', flagsPath, { body: { key, name: key } })
    if (!made) account.unknown.add(key)
    if (!expectStatus(load, `make ${key}`, made, 201)) continue
    account.made.add(key)
    expectStatus(load, `get ${key}, just created`, await ask(load, one, 'GET', path), 200)
    if (n % 2 === 0) continue
    const deleted = await ask(load, one, 'DELETE', path)
    if (!deleted) account.unknown.add(key)
    if (!expectStatus(load, `delete ${key}`, deleted, 204)) continue
    account.deleted.add(key)
    expectStatus(load, `get ${key}, just deleted`, await ask(load, one, 'GET', path), 404)
  }
}

/** Reads lists, each of which must succeed. */
export async function read(load: Load): Promise<void> {
  for (let n = 0; !load.over(); n++) {
    const path = n % 2 === 0 ? `${flagsPath}?limit=10` : `/api/v2/projects/${projectKey}`
    expectStatus(load, path, await ask(load, load.cluster.any(), 'GET', path), 200)
  }
}

/**
 * Creates tokens, uses them on every process, revokes them through one, and measures how long the others still accept
 * them.
 */
export async function revokeTokens(load: Load): Promise<void> {
  const { account, cluster } = load
  while (!load.over()) {
    const one = cluster.any()
    const made = await ask(load, one, 'POST', '/api/v2/tokens', { body: { name: 'Short', role: 'reader' } })
    if (!made || !expectStatus(load, 'create a token', made, 201)) continue
    const { _id, token } = made.body as { _id: string; token: string }
    const others = cluster.all()
    const uses = await Promise.all(others.map((other) => ask(load, other, 'GET', '/api/v2/projects', { token })))
    for (const use of uses) expectStatus(load, 'use a token', use, 200)
    if (!expectStatus(load, 'revoke a token', await ask(load, one, 'DELETE', `/api/v2/tokens/${_id}`), 204)) continue
    account.revokedTokens.add(_id)
    const revokedAt = performance.now()
    await Promise.all(others.map((other) => watchRevoked(load, other, token, revokedAt)))
  }
}

async function watchRevoked(load: Load, one: ServedEngine, token: string, revokedAt: number): Promise<void> {
  let lastTaken = revokedAt
  for (let refusals = 0; refusals < 3; ) {
    const asked = performance.now()
    const answer = await ask(load, one, 'GET', '/api/v2/projects', { token })
    if (!answer) return
    if (expectStatus(load, 'use a revoked token', answer, 401, 200)) refusals++
    else lastTaken = asked
    if (asked - revokedAt > 5000) {
      load.account.faults.push('a revoked token is still accepted')
      break
    }
  }
  load.account.revocationMs.push(lastTaken - revokedAt)
}
