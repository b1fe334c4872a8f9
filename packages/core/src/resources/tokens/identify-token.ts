import { LRUCache } from 'lru-cache'
import type { Caller, Grant } from '../../operation/caller.ts'
import type { Host } from '../../operation/context.ts'
import type { Identify } from '../../operation/identity.ts'
import { baseRoles } from '../../rules/policy/base-roles.ts'
import { type CompiledPolicy, type CompiledRole, compilePolicy, compileRole } from '../../rules/policy/policy.ts'
import type { AccountStorage, DocumentId, StoredDocument } from '../../storage/port.ts'
import { type Member, members } from '../members/member.ts'
import { type Role, roles } from '../roles/role.ts'
import { type Credential, credentials, tokenUses } from './token.ts'

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
    await noteUse(storage, used, current.caller.tokenId as string, now)
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

async function look(
  storage: AccountStorage,
  hash: string,
  stored: StoredDocument | undefined,
): Promise<Remembered> {
  const id = credentials.id({ hash })
  const none = { hash, ids: [id], caller: undefined, expiresAt: undefined }
  if (!stored) return { ...none, versions: versionsOf([undefined]) }
  const credential = stored.body as Credential
  const first = await lookAt(storage, id, credential, [])
  const member = first.found[1]?.body as Member | undefined
  // Which roles a member has is known only now; a token of the account has none to add.
  const all = member?.customRoles.length ? await lookAt(storage, id, credential, member.customRoles) : first
  const versions = versionsOf(all.found)
  const seen = all.found[0]?.body as Credential | undefined
  if (!seen || (seen.memberId !== undefined && !all.found[1])) return { ...none, ids: all.ids, versions }
  const caller = callerOf(seen, all.found[1]?.body as Member | undefined, rolesByKey(all.found))
  return { hash, ids: all.ids, versions, caller, expiresAt: seen.expiresAt }
}

/** Asks for the credential, its member and every role that one of them names, in this order. */
async function lookAt(storage: AccountStorage, id: DocumentId, credential: Credential, memberRoles: readonly string[]) {
  const keys = new Set([...credential.grants.flatMap((grant) => grant.customRoles ?? []), ...memberRoles])
  const member = members.id({ memberId: credential.memberId ?? '' })
  const ids = [id, member, ...[...keys].map((roleKey) => roles.id({ roleKey }))]
  return { ids, found: await storage.getMany(ids) }
}

function rolesByKey(found: readonly (StoredDocument | undefined)[]): ReadonlyMap<string, Role> {
  const list = found.slice(2).flatMap((document) => (document ? [document.body as Role] : []))
  return new Map(list.map((role) => [role.key, role]))
}

function callerOf(credential: Credential, member: Member | undefined, known: ReadonlyMap<string, Role>): Caller {
  const attributes = member?.roleAttributes ?? {}
  const layers = credential.grants.map((grant) => layer(grant, known, attributes))
  if (member) layers.push(layer({ role: member.role, customRoles: member.customRoles }, known, attributes))
  return {
    id: `token/${credential.tokenId}`,
    tokenId: credential.tokenId,
    memberId: credential.memberId,
    layers,
    grants: credential.grants,
  }
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

async function noteUse(storage: AccountStorage, used: LRUCache<string, number>, id: string, now: number) {
  const last = used.get(id)
  if (last !== undefined && now - last < usePrecision) return
  used.set(id, now)
  const place = tokenUses.id({ id })
  const stored = await storage.get(place)
  const body = { at: now, version: (stored?.version ?? 0) + 1 }
  // Another process may note it at the same moment; either note is right, so the outcome does not matter.
  if (stored) await storage.commit([{ do: 'replace', id: place, version: stored.version, body, fields: {} }])
  else await storage.commit([{ do: 'insert', id: place, body, fields: {} }])
}
