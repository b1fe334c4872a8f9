import { LRUCache } from 'lru-cache'
import type { Role } from '../../models/roles/role.ts'
import type { Team } from '../../models/teams/team.ts'
import { type Credential, credentials, type Token, tokens, tokenUses } from '../../models/tokens/token.ts'
import type { Host } from '../../operation/context.ts'
import type { Identified, Identifier } from '../../operation/identity.ts'
import type { AccountStorage, DocumentId, StoredDocument } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { around, type Bearer, callerOf, type Interceptor, idsAround } from './bearer.ts'

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
 *
 * @param options.noteUses whether it is written down when a token was used. Default true. Inside a transaction of the
 *   host the note would make others who use the token wait until that ends.
 */
export function identifier({ noteUses = true }: { readonly noteUses?: boolean } = {}): Identifier {
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
      if (!noteUses || tokenId === undefined) return undefined
      if (now - (used.get(tokenId) ?? Number.NEGATIVE_INFINITY) < usePrecision) return undefined
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
  const { credential, token } = seen
  const caller = credential && token && callerOf(bearerOf(token), seen)
  return {
    hash,
    ids,
    versions: versionsOf(found),
    identified: caller && credential && { caller, expiresAt: credential.expiresAt },
  }
}

function sameIds(a: readonly DocumentId[], b: readonly DocumentId[]): boolean {
  return a.length === b.length && a.every((id, i) => id.collection === b[i]?.collection && id.key === b[i]?.key)
}

interface Seen extends Interceptor {
  readonly credential: Credential | undefined
  readonly token: Token | undefined
}

function bodies(ids: readonly DocumentId[], found: readonly (StoredDocument | undefined)[]): Seen {
  const [credential, token] = found.map((document) => document?.body)
  return { credential: credential as Credential, token: token as Token, ...around(ids, found) }
}

/** Everything that the documents seen so far name; a service token has no member, and its place stays empty. */
function idsNamed(hash: string, { credential, token, ...seen }: Seen): DocumentId[] {
  const ids = [credentials.id({ hash })]
  if (!credential) return ids
  ids.push(tokens.id({ id: credential.tokenId }))
  return token ? [...ids, ...idsAround(bearerOf(token), seen)] : ids
}

function bearerOf({ id, memberId, serviceToken, grant, ceiling }: Token): Bearer {
  return { id: `token/${id}`, tokenId: id, memberId, personal: !serviceToken, grants: [grant, ...ceiling] }
}

async function noteUse(storage: AccountStorage, id: string, now: number): Promise<void> {
  const place = tokenUses.id({ id })
  const stored = await storage.get(place)
  const body = { at: now, version: (stored?.version ?? 0) + 1 }
  // Another process may note it at the same moment; either note is right, so the outcome does not matter.
  if (stored) await storage.commit([{ do: 'replace', id: place, version: stored.version, body, fields: {} }])
  else await storage.commit([{ do: 'insert', id: place, body, fields: {} }])
}
