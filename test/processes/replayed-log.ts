import type { AccountStorage, Sample } from '@halyard/core/storage'
import fjp, { type Operation } from 'fast-json-patch'

interface LoggedChange {
  readonly resource: string
  readonly kind: string
  readonly patch: readonly Operation[]
  readonly inverse: readonly Operation[]
}

interface Document {
  readonly version: number
}

/** Kinds whose documents are in the log from creation to deletion, and contain no secrets. */
const kinds = ['project', 'flag', 'flag-config'] as const

/** Documents of these kinds as text, sorted. */
export type State = readonly string[]

/** Returns the stored documents. */
export async function storedState(account: AccountStorage): Promise<State> {
  const pages = await Promise.all(
    kinds.map(async (kind) => {
      const { items } = await account.list({ collection: kind, scope: '', deep: true, limit: 1e6, select: 'bodies' })
      return items.map(({ body }) => canonicalText(kind, body))
    }),
  )
  return pages.flat().sort()
}

/**
 * Returns the documents that result from the log: all patches of each document in the order of its versions.
 *
 * @throws Error for a change that does not follow from the previous one, or whose inverse does not revert it.
 */
export function replayedState(log: readonly Sample[]): State {
  const changes = log.flatMap(({ body }) => (body as { changes: readonly LoggedChange[] }).changes)
  return [...groupByDocument(changes)]
    .filter(([, [first]]) => kinds.some((kind) => kind === first?.kind))
    .flatMap(([name, steps]) => {
      const document = replay(
        name,
        steps.toSorted((a, b) => versionAfter(a) - versionAfter(b)),
      )
      return document ? [canonicalText(steps[0]?.kind as string, document)] : []
    })
    .sort()
}

function groupByDocument(changes: readonly LoggedChange[]): Map<string, LoggedChange[]> {
  const groups = new Map<string, LoggedChange[]>()
  for (const change of changes) {
    const name = `${change.kind} ${change.resource}`
    const group = groups.get(name) ?? []
    group.push(change)
    groups.set(name, group)
  }
  return groups
}

function replay(name: string, steps: readonly LoggedChange[]): Document | undefined {
  let document: Document | undefined
  for (const { patch, inverse } of steps) {
    const next = applyPatch(document, patch)
    const reverted = applyPatch(next, inverse)
    if (canonicalText('', reverted) !== canonicalText('', document))
      throw new Error(`${name}: the inverse does not revert the change`)
    if (next && next.version !== (document?.version ?? 0) + 1) throw new Error(`${name}: a change is missing`)
    document = next
  }
  return document
}

function applyPatch(document: Document | undefined, patch: readonly Operation[]): Document | undefined {
  const start = document ? structuredClone(document) : null
  return (
    fjp.applyPatch(
      start,
      patch.map((operation) => structuredClone(operation)),
      true,
    ).newDocument ?? undefined
  )
}

/** Returns the version that a change leads to; infinity for a deletion, which comes last. */
function versionAfter({ patch }: LoggedChange): number {
  const wholeDocument = patch.find(({ path }) => path === '')
  if (wholeDocument)
    return wholeDocument.op === 'add' ? (wholeDocument.value as Document).version : Number.POSITIVE_INFINITY
  const version = patch.find(({ path }) => path === '/version')
  return version && 'value' in version ? (version.value as number) : Number.NaN
}

/** Returns JSON with sorted properties. */
function canonicalText(kind: string, value: unknown): string {
  const sorted = (_: string, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value
  return `${kind} ${JSON.stringify(value ?? null, sorted)}`
}
