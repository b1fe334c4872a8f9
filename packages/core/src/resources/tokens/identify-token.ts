import { LRUCache } from 'lru-cache'
import type { Caller, Grant } from '../../operation/caller.ts'
import type { Host } from '../../operation/context.ts'
import type { Identify } from '../../operation/identity.ts'
import { baseRoles } from '../../rules/policy/base-roles.ts'
import { type CompiledPolicy, type CompiledRole, compilePolicy, compileRole } from '../../rules/policy/policy.ts'
import type { AccountStorage, DocumentId, StoredDocument } from '../../storage/port.ts'
import { type Member, members } from '../members/member.ts'
import { type Role, roles } from '../roles/role.ts'
import { type Credential, credentials, type Token, tokens, tokenUses } from './token.ts'

/** What was found for a token the last time, and the versions of all documents that it was made from. */
interface Remembered {
  readonly hash: string
  readonly ids: readonly DocumentId[]
  readonly versions: string
  readonly caller: Caller | undefined
  readonly expiresAt: number | undefined
}

/** `lastUsed` is exact to this many ms; writing it at every call would double the cost of reading. */
const usePrecision = 60_000

/**
 * Makes the way from a token to its caller.
 *
 * Everything it stands on is looked up anew at every call, in one question to storage, so that a revoked token or a
 * narrowed role counts at once, in every process. Remembered is only what follows from those documents.
 */
export function identifier(): Identify {
  const remembered = new LRUCache<string, Remembered>({ max: 1000 })
  const used = new LRUCache<string, number>({ max: 1000 })

  return async (storage, host, token) => {
    const known = remembered.get(token) ?? (await unknown(host, token))
    const found = await storage.getMany(known.ids)
    let current = known
    if (known.versions !== versionsOf(found)) {
      current = await look(storage, known.hash, found[0])
      remembered.set(token, current)
    }
    const now = host.now()
    if (!current.caller || (current.expiresAt !== undefined && current.expiresAt <= now)) return undefined
    const tokenId = current.caller.tokenId as string
    if (now - (used.get(tokenId) ?? Number.NEGATIVE_INFINITY) >= usePrecision) {
      used.set(tokenId, now)
      await noteUse(storage, tokenId, now)
    }
    return current.caller
  }
}

async function unknown(host: Host, token: string): Promise<Remembered> {
  const hash = await host.sha256(token)
  return { hash, ids: [credentials.id({ hash })], versions: 'none yet', caller: undefined, expiresAt: undefined }
}

function versionsOf(found: readonly (StoredDocument | undefined)[]): string {
  let text = ''
  for (const document of found) text += `${document?.version ?? '-'},`
  return text
}

/**
 * Looks up what a token's value stands on: its credential, the token, the member behind it, and every role that one of
 * them names. Each names the next, so it asks until nothing new is named: four questions the first time, one from
 * then on. What counts is the last answer, in which all of it was seen together.
 */
async function look(storage: AccountStorage, hash: string, first: StoredDocument | undefined): Promise<Remembered> {
  let ids: readonly DocumentId[] = [credentials.id({ hash })]
  let found: readonly (StoredDocument | undefined)[] = [first]
  for (let named = idsNamed(hash, found); !sameIds(named, ids); named = idsNamed(hash, found)) {
    ids = named
    found = await storage.getMany(ids)
  }
  const { credential, token, member, roles } = bodies(found)
  const nobody = !credential || !token || (!token.serviceToken && !member)
  return {
    hash,
    ids,
    versions: versionsOf(found),
    caller: nobody ? undefined : callerOf(token, member, byKey(roles)),
    expiresAt: credential?.expiresAt,
  }
}

function sameIds(a: readonly DocumentId[], b: readonly DocumentId[]): boolean {
  return a.length === b.length && a.every((id, i) => id.collection === b[i]?.collection && id.key === b[i]?.key)
}

function bodies(found: readonly (StoredDocument | undefined)[]) {
  const [credential, token, member, ...roles] = found.map((document) => document?.body)
  return {
    credential: credential as Credential | undefined,
    token: token as Token | undefined,
    member: member as Member | undefined,
    roles: roles as (Role | undefined)[],
  }
}

/** Everything that the documents seen so far name; a service token has no member, and its place stays empty. */
function idsNamed(hash: string, found: readonly (StoredDocument | undefined)[]): DocumentId[] {
  const { credential, token, member } = bodies(found)
  const ids = [credentials.id({ hash })]
  if (!credential) return ids
  ids.push(tokens.id({ id: credential.tokenId }))
  if (!token) return ids
  ids.push(members.id({ memberId: token.serviceToken ? '' : token.memberId }))
  const grants: readonly Grant[] = [token.grant, ...token.ceiling, { customRoles: member?.customRoles }]
  const named = new Set(grants.flatMap((grant) => grant.customRoles ?? []))
  return [...ids, ...[...named].map((roleKey) => roles.id({ roleKey }))]
}

function byKey(list: readonly (Role | undefined)[]): ReadonlyMap<string, Role> {
  return new Map(list.flatMap((role) => (role ? [[role.key, role] as const] : [])))
}

function callerOf(token: Token, member: Member | undefined, known: ReadonlyMap<string, Role>): Caller {
  const attributes = member?.roleAttributes ?? {}
  const grants = [token.grant, ...token.ceiling]
  const layers = grants.map((grant) => layer(grant, known, attributes))
  const standing = member && { role: member.role, customRoles: member.customRoles }
  if (standing) layers.push(layer(standing, known, attributes))
  return { id: `token/${token.id}`, tokenId: token.id, memberId: token.memberId, layers, grants, standing }
}

/** A role that is gone grants nothing. */
function layer(
  grant: Grant,
  known: ReadonlyMap<string, Role>,
  roleAttributes: Readonly<Record<string, readonly string[]>>,
): CompiledPolicy {
  const compiled: CompiledRole[] = []
  if (grant.statements) compiled.push(compileRole({ name: 'inline', statements: grant.statements }, { roleAttributes }))
  if (grant.role) compiled.push(compileRole({ name: grant.role, statements: baseRoles[grant.role] }))
  for (const key of grant.customRoles ?? []) {
    const role = known.get(key)
    if (role) compiled.push(compileRole({ name: key, statements: role.policy }, { roleAttributes }))
  }
  return compilePolicy(compiled)
}

async function noteUse(storage: AccountStorage, id: string, now: number): Promise<void> {
  const place = tokenUses.id({ id })
  const stored = await storage.get(place)
  const body = { at: now, version: (stored?.version ?? 0) + 1 }
  // Another process may note it at the same moment; either note is right, so the outcome does not matter.
  if (stored) await storage.commit([{ do: 'replace', id: place, version: stored.version, body, fields: {} }])
  else await storage.commit([{ do: 'insert', id: place, body, fields: {} }])
}
