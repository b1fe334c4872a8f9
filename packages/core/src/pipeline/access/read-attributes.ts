import type { Caller } from '../../operation/caller.ts'
import type { Resource, ResourceLevel } from '../../rules/address.ts'
import { lacksAttributes } from '../../rules/policy/policy.ts'
import type { Documents, Versioned } from '../../storage/collection.ts'
import type { DocumentId } from '../../storage/port.ts'
import type { StorageReads } from '../../storage/reads.ts'

/** Maximum number of views of one resource that decisions consider. */
const maxViews = 1000

/** The collections whose documents have attributes that policies test, by the last kind of their address. */
export type AttributeSources = ReadonlyMap<string, Documents<Versioned>>

/** Adds the attributes that policies test and that the levels lack, with one request to the storage for all levels. */
export async function readAttributes(
  reads: StorageReads,
  sources: AttributeSources,
  caller: Caller,
  resource: Resource,
): Promise<Resource> {
  const lacking: { readonly depth: number; readonly source: Documents<Versioned> }[] = []
  const ids: DocumentId[] = []
  for (let depth = 0; depth < resource.length; depth++) {
    const level = resource[depth] as ResourceLevel
    const source = lacksAttributes(caller.layers, level) ? sources.get(level.kind) : undefined
    const id = source && documentIdOf(source, resource, depth)
    if (!id) continue
    lacking.push({ depth, source })
    ids.push(id)
  }
  if (ids.length === 0) return resource
  const [documents, views] = await Promise.all([
    reads.getMany(ids),
    Promise.all(lacking.map(({ depth, source }) => viewsOf(reads, caller, resource, depth, source))),
  ])
  const full = resource.slice()
  for (const [i, { depth, source }] of lacking.entries()) {
    const document = documents[i]
    if (!document) continue
    const level = withAttributesOf(resource[depth] as ResourceLevel, source, document.body as Versioned)
    full[depth] = views[i] ? { ...level, views: views[i] } : level
  }
  return full
}

/** Reads the keys of the views to which a resource is linked, if policies of the caller test them. */
async function viewsOf(
  reads: StorageReads,
  caller: Caller,
  resource: Resource,
  depth: number,
  { views, address }: Documents<Versioned>,
): Promise<readonly string[] | undefined> {
  const { kind } = resource[depth] as ResourceLevel
  if (!views || !caller.layers.some((layer) => layer.needs.get(kind)?.views)) return undefined
  const scope = address.address(keysOf(address, resource, depth))
  const { items } = await reads.list({ collection: views.name, scope, limit: maxViews, select: 'fields' })
  return items.map(({ key }) => key)
}

/** Returns the id of the document of a level; undefined when the level represents many documents. */
function documentIdOf(source: Documents<Versioned>, resource: Resource, depth: number): DocumentId | undefined {
  const keys = keysOf(source.address, resource, depth)
  return Object.values(keys).includes('*') ? undefined : source.id(keys)
}

/** Returns the values of an address's parameters in the levels of a resource, up to `depth`. */
function keysOf({ kinds, parameters }: Documents<Versioned>['address'], resource: Resource, depth: number) {
  const keys: Record<string, string> = {}
  for (let i = 0; i <= depth; i++) {
    const { kind, key } = resource[i] as ResourceLevel
    const parameter = parameters[kinds.indexOf(kind)]
    if (parameter !== undefined) keys[parameter] = key
  }
  return keys
}

/**
 * Returns a level with the attributes of its document. Every property is written out so that all levels have one object
 * shape.
 */
export function withAttributesOf<T extends Versioned>(
  { kind, key }: ResourceLevel,
  collection: Pick<Documents<T>, 'attributes'>,
  document: T,
): ResourceLevel {
  const { tags, properties, views } = collection.attributes?.(document) ?? {}
  return { kind, key, tags, properties, views }
}
