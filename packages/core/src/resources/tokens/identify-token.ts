import { LRUCache } from 'lru-cache'
import type { Role } from '../../models/roles/role.ts'
import type { Team } from '../../models/teams/team.ts'
import { type Credential, credentials, type Token, tokens, tokenUses } from '../../models/tokens/token.ts'
import type { Host } from '../../operation/context.ts'
import type { Identified, Identifier } from '../../operation/identity.ts'
import type { AccountStorage, DocumentId, StoredDocument } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { around, type Bearer, callerOf, type Interceptor, idsAround } from './bearer.ts'

/** The cached identity of a token, with the versions of all documents that it depends on. */
interface Remembered {
  readonly hash: string
  readonly ids: readonly DocumentId[]
  readonly versions: string
  readonly identified: Identified | undefined
}

/** Precision of `lastUsed` in ms. Writing it at every call would double the cost of reads. */
const usePrecision = 60_000

// Limited by size, because `max` allocates all entries at once, which costs time in engines that are made for one test.
const bounded = { maxSize: 1000, sizeCalculation: () => 1 }

/**
 * Makes the identification of callers by tokens.
 *
 * All documents that an identity depends on are read at each call, in one storage query, so that a revoked token or a
 * restricted role takes effect at once in every process. Only the result computed from these documents is cached.
 *
 * @param options.recordUses writes the time of the last use of tokens. Default true. Inside a transaction of the host
 *   the write would block other users of the token until the transaction ends.
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

/** The credential, the token and the member come first, and have ids that are never reused. Teams and roles follow. */
const firstKeyed = 3

/**
 * Returns the versions of documents. For documents with reusable keys also the time of creation, because a role that is
 * created again starts at version 1.
 */
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
 * Reads everything that an identity depends on: the credential, the token, its member, the member's teams, and all
 * roles that one of them refers to. Each refers to the next, so the reads repeat until no new id appears: five queries
 * the first time, one afterwards. Only the last read counts, which contains all documents together.
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

/**
 * Returns the ids of all documents that the known documents refer to. A service token has no member, so that id stays
 * empty.
 */
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
  // Another process may record a use concurrently. Either record is correct, so the outcome does not matter.
  if (stored) await storage.commit([{ do: 'replace', id: place, version: stored.version, body, fields: {} }])
  else await storage.commit([{ do: 'insert', id: place, body, fields: {} }])
}
