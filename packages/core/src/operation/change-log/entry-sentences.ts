import { labelOf, propertySentences, propertySentencesOf } from '../../rules/sentences/property-sentences.ts'
import { named, type Subject, shortName } from '../../rules/sentences/sentence.ts'
import {
  type BeforeAndAfter,
  type ChangedDocument,
  changedSince,
  type WrittenDocument,
} from '../../storage/changed-document.ts'
import type { Documents, PartOf, StoredCollection, Versioned } from '../../storage/collection.ts'
import type { DocumentMap } from '../../storage/document-map.ts'
import type { DocumentDescription, NotedMembership } from '../../storage/writer.ts'

/** The parts of a unit of work from which names and sentences are derived. */
interface NamedUnit {
  get(collection: StoredCollection, keys: Readonly<Record<string, string>>): Promise<Versioned | undefined>
  readonly known: Pick<DocumentMap<Versioned>, 'find' | 'get'>
  readonly described: Pick<DocumentMap<DocumentDescription>, 'get'>
}

/** Source of the names of documents and of the sentences about them. */
export interface NameSource {
  readonly unit: NamedUnit
  readonly environments: StoredCollection
}

/** The changes of a call from which sentences are made. */
interface ChangesToDescribe {
  /** The caller's own changes first. */
  readonly written: readonly WrittenDocument[]
  readonly noted: readonly NotedMembership[]
  readonly changed: readonly ChangedDocument[]
  readonly names: NameSource
}

/** The documents in which names are found. */
type NamedDocuments = Pick<ChangesToDescribe, 'written' | 'names'>

type KeyValues = Readonly<Record<string, string>>

/** Maximum number of sentences of one entry. A call that changes more resources is described by the first ones. */
const maxSentences = 50

/**
 * Returns one sentence for each change that a call made itself. Further changes that follow from these changes have no
 * sentence.
 */
export async function entrySentences(change: ChangesToDescribe): Promise<readonly string[]> {
  const sentences: string[] = []
  for (const document of change.written.filter((each) => !isInAnother(change, each))) {
    if (sentences.length >= maxSentences) break
    sentences.push(...(await documentSentences(change, document)))
  }
  for (const noted of change.noted) sentences.push(...(await membershipSentences(change, noted)))
  // A sentence that introduces others comes first.
  const introductions = sentences.filter((sentence) => sentence.endsWith(':'))
  const all = [...introductions, ...sentences.filter((sentence) => !sentence.endsWith(':'))].slice(0, maxSentences)
  if (all.length > 0 || !change.written[0]) return all
  // Only internal state of a document has changed.
  const { noun, it } = await subjectOf(change, change.written[0])
  return [`updated the ${noun} ${it}`]
}

/** Returns true for a document that is created or deleted together with its parent document. */
function isInAnother({ written }: NamedDocuments, { collection, keys, before, after }: WrittenDocument): boolean {
  if (before && after) return false
  const address = collection.address.address(keys)
  return written.some((other) => {
    if (other.collection === collection || Boolean(other.before) !== Boolean(before)) return false
    if (Boolean(other.after) !== Boolean(after)) return false
    const isWhole = collection.partOf?.name === other.collection.name
    return isWhole || address.startsWith(`${other.collection.address.address(other.keys)}:`)
  })
}

async function documentSentences(change: ChangesToDescribe, document: WrittenDocument): Promise<readonly string[]> {
  const { collection, keys, before, after } = document
  const changed = change.changed.filter((each) => each.collection === collection && each.keys === keys)
  const described = change.names.unit.described.get(collection.id(keys))
  // An update without an action of its own follows from another change.
  if (before && after && changed.length === 0 && !described) return []
  const subject = await subjectOf(change, document)
  const derived = (only?: readonly string[]) =>
    changed.flatMap(({ seen }) => {
      const names = changedSince(seen, document).filter((name) => only?.includes(name) ?? true)
      return changeSentences(collection, { before: seen, after: after as Versioned }, subject, names)
    })
  if (described) return [...described.sentences.map((sentence) => sentence(subject)), ...derived(described.except)]
  const { created, deleted } = collection.sentences
  const { noun, it } = subject
  if (!after) return [deleted?.(before as Versioned, subject) ?? `deleted the ${noun} ${it}`].flat()
  if (before || changed.length > 0) return derived()
  return [created?.(after, subject) ?? `created the ${noun} ${it}`].flat()
}

/**
 * Returns what changed in a document, one sentence or more for each property that callers can change.
 *
 * @param names the properties that differ, or some of them.
 */
export function changeSentences(
  { changes, secrets, sentences: { changed = {} } }: Pick<StoredCollection, 'changes' | 'secrets' | 'sentences'>,
  { before, after }: { readonly before: Versioned; readonly after: Versioned },
  subject: Subject,
  names: readonly string[],
): readonly string[] {
  const actions = (changes ?? {}) as Readonly<Record<string, unknown>>
  const labels = changed as Readonly<Record<string, NonNullable<StoredCollection['sentences']['changed']>['version']>>
  const propertyOf = (document: object, name: string) => (document as Readonly<Record<string, unknown>>)[name]
  return names
    .filter((name) => (actions[name] ?? null) !== null)
    .flatMap((name) => {
      const sentence = labels[name]
      if (typeof sentence === 'function') return sentence(before, after, subject)
      if (secrets.includes(name)) return `replaced the ${sentence ?? labelOf(name)} of ${subject.it}`
      const values = [propertyOf(before, name), propertyOf(after, name)] as const
      return sentence === undefined
        ? propertySentencesOf(name, ...values, subject)
        : propertySentences(sentence, ...values, subject)
    })
}

async function membershipSentences(change: NamedDocuments, noted: NotedMembership): Promise<readonly string[]> {
  const { added = [], removed = [], set, collection, keys, document } = noted
  const { noun, it } = await subjectOf(change, { collection, keys, before: document, after: document })
  return [
    ...(added.length > 0 ? [`added ${named(added, set)} to the ${noun} ${it}`] : []),
    ...(removed.length > 0 ? [`removed ${named(removed, set)} from the ${noun} ${it}`] : []),
  ]
}

/** Returns the resource of a document as the subject of sentences, with its name before the change. */
async function subjectOf(
  change: NamedDocuments,
  { collection, keys, before, after }: BeforeAndAfter,
): Promise<Subject> {
  const { environments, unit } = change.names
  const document = before ?? after
  const [name, place] = await Promise.all([
    nameOf(change, collection, keys, document),
    collection.name === environments.name ? '' : placeOf(change, keys),
  ])
  return {
    name,
    place,
    it: `${name}${place}`,
    noun: collection.noun,
    nameOf: (collectionName, key) => {
      const known = unit.known.find(collectionName, key)
      return shortName(known ? ownName(known) || key : key)
    },
  }
}

/** Returns the name that a document has after the change. */
export function entryName(
  change: NamedDocuments,
  { collection, keys, before, after }: BeforeAndAfter,
): Promise<string> {
  return nameOf(change, collection, keys, after ?? before)
}

async function nameOf(
  change: NamedDocuments,
  { sentences, partOf, address }: Pick<Documents<Versioned>, 'sentences' | 'partOf' | 'address'>,
  keys: KeyValues,
  document: Versioned | undefined,
): Promise<string> {
  const whole = partOf
    ? await nameOf(change, partOf as StoredCollection, keys, await documentOf(change, partOf, keys))
    : ''
  const describedName = document && (sentences.name?.(document, whole) ?? ownName(document))
  // The name of a part contains the name of the whole; both names are already shortened.
  return partOf ? describedName || whole : shortName(describedName || address.key(keys))
}

/** Returns the name of a document, or its key, e-mail address or id when it has no name. */
function ownName(document: object): string | undefined {
  const { name, key, email, id } = document as { name?: string; key?: string; email?: string; id?: string }
  return name || key || email || id
}

/** Returns the environment that the keys name, e.g. ` in Production`; '' when they name none. */
async function placeOf(change: NamedDocuments, keys: KeyValues): Promise<string> {
  const { environmentKey } = keys
  if (environmentKey === undefined || environmentKey === '*') return ''
  const environment = await documentOf(change, change.names.environments, keys)
  return ` in ${shortName((environment && ownName(environment)) || environmentKey)}`
}

/** Returns a document before the change. It is read only when the call has not read it already. */
async function documentOf(
  { written, names: { unit } }: NamedDocuments,
  collection: PartOf,
  keys: KeyValues,
): Promise<Versioned | undefined> {
  const id = collection.id(keys)
  const isSame = (other: typeof id) => other.scope === id.scope && other.key === id.key
  const ownChange = written.find(
    (each) => each.collection.name === collection.name && isSame(each.collection.id(each.keys)),
  )
  return ownChange?.before ?? ownChange?.after ?? unit.known.get(id) ?? unit.get(collection as StoredCollection, keys)
}
