import { LRUCache } from 'lru-cache'
import type { Role } from '../../models/roles/role.ts'
import type { Team } from '../../models/teams/team.ts'
import { type Credential, credentials, type Token, tokens, tokenUses } from '../../models/tokens/token.ts'
import type { Host } from '../../operation/context.ts'
import type { Identifier, TokenIdentity } from '../../operation/identity.ts'
import type { AccountStorage, DocumentId, StoredDocument } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'
import { type Bearer, type BearerDocuments, bearerDocuments, callerOf, idsOfBearer } from './bearer.ts'
import { findOAuthCaller } from './find-oauth-caller.ts'
import { identifyHostCaller } from './identify-host-caller.ts'

/** The cached identity of a token, with the versions of all documents that it depends on. */
interface CachedIdentity {
  readonly hash: string
  readonly ids: readonly DocumentId[]
  readonly versions: string
  readonly identified: TokenIdentity | undefined
}

/** Precision of `lastUsed` in ms. Writing it at every call would double the cost of reads. */
const usePrecisionMs = 60_000

// Limited by size, because `max` allocates all entries in advance, which costs time in engines that are made for one
// test.
const cacheLimits = { maxSize: 1000, sizeCalculation: () => 1 }

/**
 * Makes the function that identifies callers by their tokens.
 *
 * All documents that an identity depends on are read at each call, in one storage query, so that a revoked token or a
 * restricted role takes effect immediately in every process. Only the result computed from these documents is cached.
 *
 * @param options.recordUses writes the time of the last use of tokens. Default true. Inside a transaction of the host
 *   the write would block other users of the token until the transaction ends.
 */
export function identifier({ recordUses = true }: { readonly recordUses?: boolean } = {}): Identifier {
  const cachedIdentities = new LRUCache<string, CachedIdentity>(cacheLimits)
  const lastUses = new LRUCache<string, number>(cacheLimits)

  return {
    async find(reads, host, token) {
      const oauth = findOAuthCaller(reads, host, token)
      if (oauth) return oauth
      const cached = cachedIdentities.get(token) ?? (await newIdentity(host, token))
      const documents = await reads.getMany(cached.ids)
      let current = cached
      if (cached.versions !== versionsOf(documents)) {
        current = await loadIdentity(reads, cached.hash, documents[0])
        cachedIdentities.set(token, current)
      }
      return current.identified
    },
    findIdentity: identifyHostCaller,
    recordUse(storage, { tokenId }, now) {
      if (!recordUses || tokenId === undefined) return undefined
      if (now - (lastUses.get(tokenId) ?? Number.NEGATIVE_INFINITY) < usePrecisionMs) return undefined
      lastUses.set(tokenId, now)
      return recordUse(storage, tokenId, now)
    },
  }
}

async function newIdentity(host: Host, token: string): Promise<CachedIdentity> {
  const hash = await host.sha256(token)
  return { hash, ids: [credentials.id({ hash })], versions: 'none yet', identified: undefined }
}

/**
 * Index of the first document whose key can be used again after a deletion: teams and roles. The credential, the token
 * and the member come first, and have ids that are never reused.
 */
const firstByKey = 3

/**
 * Returns the versions of documents. For documents with reusable keys also the time of creation, because a role that is
 * created again starts at version 1.
 */
function versionsOf(documents: readonly (StoredDocument | undefined)[]): string {
  let text = ''
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i]
    text += `${document?.version ?? '-'},`
    if (document && i >= firstByKey) text += `${(document.body as Team | Role).createdAt},`
  }
  return text
}

/**
 * Reads everything that an identity depends on: the credential, the token, its member, the member's teams, and all
 * roles that one of them refers to. Each document names the next one, so the reads repeat until no new id appears: five
 * queries the first time, and one afterwards. Only the last read is used, because it contains all documents at one
 * moment.
 */
async function loadIdentity(
  reads: StorageReads,
  hash: string,
  first: StoredDocument | undefined,
): Promise<CachedIdentity> {
  let ids: readonly DocumentId[] = [credentials.id({ hash })]
  let documents: readonly (StoredDocument | undefined)[] = [first]
  let known = tokenDocuments(ids, documents)
  for (
    let referencedIds = idsOfToken(hash, known);
    !sameIds(referencedIds, ids);
    referencedIds = idsOfToken(hash, known)
  ) {
    ids = referencedIds
    documents = await reads.getMany(ids)
    known = tokenDocuments(ids, documents)
  }
  const { credential, token } = known
  const caller = credential && token && callerOf(bearerOf(token), known)
  return {
    hash,
    ids,
    versions: versionsOf(documents),
    identified: caller && credential && { caller, expiresAt: credential.expiresAt },
  }
}

function sameIds(a: readonly DocumentId[], b: readonly DocumentId[]): boolean {
  return a.length === b.length && a.every((id, i) => id.collection === b[i]?.collection && id.key === b[i]?.key)
}

interface TokenDocuments extends BearerDocuments {
  readonly credential: Credential | undefined
  readonly token: Token | undefined
}

function tokenDocuments(
  ids: readonly DocumentId[],
  documents: readonly (StoredDocument | undefined)[],
): TokenDocuments {
  const [credential, token] = documents.map((document) => document?.body)
  return { credential: credential as Credential, token: token as Token, ...bearerDocuments(ids, documents) }
}

/**
 * Returns the ids of all documents that the known documents refer to. A service token has no member, so that id stays
 * empty.
 */
function idsOfToken(hash: string, { credential, token, ...known }: TokenDocuments): DocumentId[] {
  const ids = [credentials.id({ hash })]
  if (!credential) return ids
  ids.push(tokens.id({ id: credential.tokenId }))
  return token ? [...ids, ...idsOfBearer(bearerOf(token), known)] : ids
}

function bearerOf({ id, memberId, serviceToken, grant, ceiling }: Token): Bearer {
  return { id: `token/${id}`, tokenId: id, memberId, personal: !serviceToken, grants: [grant, ...ceiling] }
}

async function recordUse(storage: AccountStorage, id: string, now: number): Promise<void> {
  const documentId = tokenUses.id({ id })
  const stored = await storage.get(documentId)
  const body = { at: now, version: (stored?.version ?? 0) + 1 }
  // Another process may record a use concurrently. Either record is correct, so the outcome does not matter.
  if (stored) await storage.commit([{ do: 'replace', id: documentId, version: stored.version, body, fields: {} }])
  else await storage.commit([{ do: 'insert', id: documentId, body, fields: {} }])
}
