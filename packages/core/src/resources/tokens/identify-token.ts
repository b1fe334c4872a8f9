import { LRUCache } from 'lru-cache'
import type { Caller, Grant } from '../../operation/caller.ts'
import type { Host } from '../../operation/context.ts'
import type { Identified, Identifier } from '../../operation/identity.ts'
import { baseRoles } from '../../rules/policy/base-roles.ts'
import { type CompiledPolicy, type CompiledRole, compilePolicy, compileRole } from '../../rules/policy/policy.ts'
import type { RoleAttributes } from '../../rules/policy/text-pattern.ts'
import type { AccountStorage, DocumentId, StoredDocument } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { type Member, members } from '../members/member.ts'
import { type Role, roles } from '../roles/role.ts'
import { grantedStatements } from '../teams/permission.ts'
import { type Team, teams } from '../teams/team.ts'
import { type Credential, credentials, type Token, tokens, tokenUses } from './token.ts'

/** What was found for a token the last time, and the versions of all documents that it was made from. */
interface Remembered {
  readonly hash: string
  readonly ids: readonly DocumentId[]
  readonly versions: string
  readonly identified: Identified | undefined
}

/** `lastUsed` is exact to this many ms; writing it at every call would double the cost of reading. */
const usePrecision = 60_000

// Bounded by size: with `max` all room is taken at once, and an engine that is made for one test pays for it.
const bounded = { maxSize: 1000, sizeCalculation: () => 1 }

/**
 * Makes the way from a token to its caller.
 *
 * Everything it stands on is looked up whenever it is asked, in one question to storage, so that a revoked token or a
 * narrowed role counts at once, in every process. Remembered is only what follows from those documents.
 */
export function identifier(): Identifier {
  const remembered = new LRUCache<string, Remembered>(bounded)
  const used = new LRUCache<string, number>(bounded)

  return {
    async find(reads, host, token) {
      const known = remembered.get(token) ?? (await unknown(host, token))
      const found = await reads.getMany(known.ids)
      let current = known
      if (known.versions !== versionsOf(found)) {
        current = await look(reads, known.hash, found[0])
        remembered.set(token, current)
      }
      return current.identified
    },
    noteUse(storage, { tokenId }, now) {
      if (tokenId === undefined || now - (used.get(tokenId) ?? Number.NEGATIVE_INFINITY) < usePrecision)
        return undefined
      used.set(tokenId, now)
      return noteUse(storage, tokenId, now)
    },
  }
}

async function unknown(host: Host, token: string): Promise<Remembered> {
  const hash = await host.sha256(token)
  return { hash, ids: [credentials.id({ hash })], versions: 'none yet', identified: undefined }
}

/** Credential, token and member come first, and have ids that nothing else ever has; teams and roles follow. */
const firstKeyed = 3

/** Versions; and of what is found by key when it was made, as a role that is made anew begins at version 1 again. */
function versionsOf(found: readonly (StoredDocument | undefined)[]): string {
  let text = ''
  for (let i = 0; i < found.length; i++) {
    const document = found[i]
    text += `${document?.version ?? '-'},`
    if (document && i >= firstKeyed) text += `${(document.body as Team | Role).createdAt},`
  }
  return text
}

/**
 * Looks up what a token's value stands on: its credential, the token, the member behind it, the member's teams, and
 * every role that one of them names. Each names the next, so it asks until nothing new is named: five questions the
 * first time, one from then on. What counts is the last answer, in which all of it was seen together.
 */
async function look(reads: StorageReads, hash: string, first: StoredDocument | undefined): Promise<Remembered> {
  let ids: readonly DocumentId[] = [credentials.id({ hash })]
  let found: readonly (StoredDocument | undefined)[] = [first]
  let seen = bodies(ids, found)
  for (let named = idsNamed(hash, seen); !sameIds(named, ids); named = idsNamed(hash, seen)) {
    ids = named
    found = await reads.getMany(ids)
    seen = bodies(ids, found)
  }
  const { credential, token, member } = seen
  const nobody = !credential || !token || (!token.serviceToken && !member)
  return {
    hash,
    ids,
    versions: versionsOf(found),
    identified: nobody ? undefined : { caller: callerOf(token, seen), expiresAt: credential.expiresAt },
  }
}

function sameIds(a: readonly DocumentId[], b: readonly DocumentId[]): boolean {
  return a.length === b.length && a.every((id, i) => id.collection === b[i]?.collection && id.key === b[i]?.key)
}

/** What was found; of teams and roles only those that there are. */
interface Seen {
  readonly credential: Credential | undefined
  readonly token: Token | undefined
  readonly member: Member | undefined
  readonly teams: readonly Team[]
  readonly roles: readonly Role[]
}

function bodies(ids: readonly DocumentId[], found: readonly (StoredDocument | undefined)[]): Seen {
  const [credential, token, member] = found.map((document) => document?.body)
  const all = (collection: { readonly name: string }) =>
    found.flatMap((document, i) => (document && ids[i]?.collection === collection.name ? [document.body] : []))
  return {
    credential: credential as Credential | undefined,
    token: token as Token | undefined,
    member: member as Member | undefined,
    teams: all(teams) as Team[],
    roles: all(roles) as Role[],
  }
}

/** Everything that the documents seen so far name; a service token has no member, and its place stays empty. */
function idsNamed(hash: string, { credential, token, member, teams: joined }: Seen): DocumentId[] {
  const ids = [credentials.id({ hash })]
  if (!credential) return ids
  ids.push(tokens.id({ id: credential.tokenId }))
  if (!token) return ids
  ids.push(members.id({ memberId: token.serviceToken ? '' : token.memberId }))
  const teamKeys = new Set([...(member?.teamKeys ?? []), ...(member?.managedTeamKeys ?? [])])
  const grants: readonly Grant[] = [token.grant, ...token.ceiling, ...(member ? [standingOf(member, joined)] : [])]
  const roleKeys = new Set(grants.flatMap((grant) => grant.customRoles ?? []))
  return [
    ...ids,
    ...[...teamKeys].map((teamKey) => teams.id({ teamKey })),
    ...[...roleKeys].map((roleKey) => roles.id({ roleKey })),
  ]
}

/** What a member may do: by their own roles, by those of their teams, and by what teams permit them to do to the team. */
function standingOf(member: Member, named: readonly Team[]): Grant {
  const joined = teamsOf(member, named)
  const customRoles = [...member.customRoles, ...joined.flatMap((team) => team.customRoles.map(({ key }) => key))]
  const statements = named.flatMap((team) => grantedStatements(team, member.id))
  return { role: member.role, customRoles: [...new Set(customRoles)], ...(statements.length > 0 ? { statements } : {}) }
}

/** Those that the member belongs to; the member may also have permissions in others. */
function teamsOf({ teamKeys = [] }: Member, named: readonly Team[]): readonly Team[] {
  return named.filter(({ key }) => teamKeys.includes(key))
}

function callerOf(token: Token, { member, teams: named, roles: found }: Seen): Caller {
  const known = new Map(found.map((role) => [role.key, role]))
  const attributes = member ? united([member, ...teamsOf(member, named)]) : {}
  const grants = [token.grant, ...token.ceiling]
  const layers = grants.map((grant) => layer(grant, known, grant.roleAttributes ?? attributes))
  const standing = member && standingOf(member, named)
  if (standing) layers.push(layer(standing, known, attributes))
  const ids = { id: `token/${token.id}`, tokenId: token.id, memberId: token.memberId }
  return { ...ids, layers, grants, standing, roleAttributes: attributes }
}

/** The role attributes of a member and their teams, values of one name together (D15). */
function united(holders: readonly Pick<Member, 'roleAttributes'>[]): RoleAttributes {
  const values = new Map<string, string[]>()
  for (const [name, some] of holders.flatMap(({ roleAttributes }) => Object.entries(roleAttributes))) {
    values.set(name, [...(values.get(name) ?? []), ...some])
  }
  return Object.fromEntries(values)
}

/** A role that is gone grants nothing. */
function layer(grant: Grant, known: ReadonlyMap<string, Role>, roleAttributes: RoleAttributes): CompiledPolicy {
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
