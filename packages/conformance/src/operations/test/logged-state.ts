import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { AccountStorage } from '@halyard/core/storage'
import fjp, { type Operation as PatchOperation } from 'fast-json-patch'

/** The sources of the engine. */
export const coreSources = path.resolve(import.meta.dirname, '../../../../core/src')

/** The parts of a collection definition that the test uses. */
interface LoggedCollection {
  readonly name: string
  readonly changes: object | undefined
  readonly secrets: readonly PropertyKey[]
  readonly address: {
    readonly kinds: readonly string[]
    readonly parameters: readonly (string | undefined)[]
    address(keys: Readonly<Record<string, string>>): string
  }
  resource(keys: Readonly<Record<string, string>>, document: unknown): readonly { kind: string; key: string }[]
}

/** A change as an entry of the log describes it. */
export interface LoggedChange {
  readonly resource: string
  readonly kind: string
  readonly actions: readonly string[]
  readonly patch: PatchOperation[]
  readonly inverse: PatchOperation[]
  readonly members?: { readonly set: string; readonly added: readonly string[]; readonly removed: readonly string[] }
}

type Levels = readonly { kind: string; key: string }[]

const { addressOf, parseAddress } = (await import('@halyard/core/policy')) as unknown as {
  addressOf(resource: Levels): string
  parseAddress(text: string): Levels | undefined
}

const allCollections = await storedCollections()
const collections = allCollections.filter(({ changes }) => changes)

async function storedCollections(): Promise<readonly LoggedCollection[]> {
  const files = ['models', 'resources']
    .map((folder) => path.join(coreSources, folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    )
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .filter((file) => /\bdocuments</.test(readFileSync(file, 'utf8')))
  const modules = await Promise.all(files.map((file) => import(file) as Promise<Record<string, unknown>>))
  const exported = modules.flatMap((module) => Object.values(module))
  const nested = exported.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  const collectionList = [...exported, ...nested].filter(isCollection)
  const idOf = ({ name, address }: LoggedCollection) => `${name} ${address.kinds.join(':')}`
  return [...new Map(collectionList.map((value) => [idOf(value), value])).values()]
}

/**
 * Returns true for the levels of a document of a collection. Collections with the same name have different addresses.
 */
function isIn({ address }: LoggedCollection, levels: Levels): boolean {
  return levels.length === address.kinds.length && levels.slice(0, -1).every(({ kind }, i) => kind === address.kinds[i])
}

function isCollection(value: unknown): value is LoggedCollection {
  return typeof value === 'object' && value !== null && 'template' in value && 'changes' in value
}

/** Names of the collections whose documents callers change. */
export const changedCollections: readonly string[] = [...new Set(collections.map(({ name }) => name))]

/** Returns the keys of the address of every stored document, by the names of the parameters. */
export async function parametersOfDocuments(
  account: AccountStorage,
): Promise<readonly Readonly<Record<string, string>>[]> {
  const documents: Readonly<Record<string, string>>[] = []
  for (const collection of allCollections) {
    const { name, address } = collection
    const query = { collection: name, scope: '', deep: true, limit: 100_000, select: 'fields' } as const
    for (const { scope, key } of (await account.list(query)).items) {
      const levels = [...(scope === '' ? [] : (parseAddress(scope) ?? [])), { kind: '', key }]
      if (!isIn(collection, levels)) continue
      documents.push(
        Object.fromEntries(
          address.parameters.flatMap((parameter, i) => (parameter ? [[parameter, levels[i]?.key ?? '']] : [])),
        ),
      )
    }
  }
  return documents
}

/** A stored document whose changes are logged. */
export interface StoredDocument {
  readonly collection: LoggedCollection
  readonly scope: string
  /** The keys in the address of the document, by parameter. */
  readonly keys: Readonly<Record<string, string>>
  /** Address of the document in storage; documents under it are deleted with it. */
  readonly address: string
  /** Resource of the document in the change log. */
  readonly resource: string
  /** The stored body. It is the same object as long as the document is unchanged. */
  readonly body: object
}

/** All logged documents of an account, by collection, scope and key. */
export type LoggedState = ReadonlyMap<string, StoredDocument>

/** Returns the stored documents. */
export async function stateOf(account: AccountStorage): Promise<LoggedState> {
  const state = new Map<string, StoredDocument>()
  for (const collection of collections) {
    const query = { collection: collection.name, scope: '', deep: true, limit: 100_000, select: 'bodies' } as const
    for (const { scope, key, body } of (await account.list(query)).items) {
      const levels = [...(scope === '' ? [] : (parseAddress(scope) ?? [])), { kind: '', key }]
      if (!isIn(collection, levels)) continue
      const { parameters } = collection.address
      const keys = Object.fromEntries(levels.flatMap((level, i) => (parameters[i] ? [[parameters[i], level.key]] : [])))
      state.set(`${collection.name}\n${scope}\n${key}`, {
        collection,
        scope,
        keys,
        address: collection.address.address(keys),
        resource: addressOf(collection.resource(keys, body)),
        body: body as object,
      })
    }
  }
  return state
}

/**
 * Returns true when two states of a document differ in more than the version. A commit can write a document without a
 * change, so that a concurrent change conflicts; such a write is not logged.
 */
export function isChanged(before: StoredDocument | undefined, after: StoredDocument | undefined): boolean {
  if (before?.body === after?.body) return false
  const contentOf = (document: StoredDocument | undefined) => document && { ...document.body, version: 0 }
  return !isEqual(contentOf(before), contentOf(after))
}

/** Returns the parts of a document that the log may contain: everything except its secrets. */
export function loggableBody(document: StoredDocument | undefined): unknown {
  if (!document) return undefined
  const loggedProperties = Object.entries(document.body).filter(([name]) => !document.collection.secrets.includes(name))
  return JSON.parse(JSON.stringify(Object.fromEntries(loggedProperties)))
}

function applyPatch(value: unknown, patch: PatchOperation[]): unknown {
  const [first] = patch
  if (first?.path === '') return first.op === 'remove' ? undefined : (first as { value: unknown }).value
  if (value === undefined && patch.length > 0) throw new Error('a patch of a missing document')
  return fjp.applyPatch(structuredClone(value), structuredClone(patch)).newDocument
}

const isEqual = (a: unknown, b: unknown) =>
  JSON.stringify(withSortedProperties(a)) === JSON.stringify(withSortedProperties(b))

function withSortedProperties(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedProperties)
  if (typeof value !== 'object' || value === null) return value
  const pairs = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return pairs.map(([name, propertyValue]) => [name, withSortedProperties(propertyValue)])
}

/** Returns true when a change describes how one document became another, and its inverse describes the reverse. */
export function describesChange({ patch, inverse }: LoggedChange, before: unknown, after: unknown): boolean {
  try {
    return isEqual(applyPatch(before, patch), after) && isEqual(applyPatch(after, inverse), before)
  } catch {
    return false
  }
}
