import type { LoggedChange } from '../../../operation/change-log/change-log-entry.ts'
import type { ChangeConflict } from '../../../operation/errors.ts'
import type { UndoneDocument } from '../../../operation/undo/undo-rules.ts'
import type { LocatedDocument } from '../../../operation/undo/undo-table.ts'
import { escapeToken, type JsonChange } from '../../../rules/json-delta.ts'
import { jsonEqual } from '../../../rules/json-equal.ts'
import { applyChanges } from '../../../rules/undo/apply-changes.ts'
import { fingerprint } from '../../../rules/undo/fingerprint.ts'
import { mergeThreeWay } from '../../../rules/undo/merge-three-way.ts'
import { rootProperty } from '../../../rules/undo/path-tokens.ts'
import type { Versioned } from '../../../storage/collection.ts'

type Properties = Readonly<Record<string, unknown>>

/** The part of a revert that concerns one document. */
export interface DocumentPlan extends UndoneDocument {
  readonly change: LoggedChange
  readonly rules: LocatedDocument['rules']
  /** Parts that were changed later. The document must not be written when there are some. */
  readonly conflicts: readonly ChangeConflict[]
}

export interface DocumentState {
  readonly located: LocatedDocument
  readonly change: LoggedChange
  readonly current: Versioned | undefined
  /** The document that is assumed when no document is stored. */
  readonly implied: Versioned | undefined
  /** Returns the document as the entry wrote it; undefined when later changes cannot be undone one by one. */
  rewind(version: number): Promise<Versioned | undefined>
}

/** Returns how a revert writes a document; undefined when it does not change the document. */
export async function planDocument(state: DocumentState): Promise<DocumentPlan | undefined> {
  const { located, change, current } = state
  const plan = (wanted: Versioned | undefined, conflicts: readonly ChangeConflict[] = []): DocumentPlan => {
    return { ...located, change, current, wanted, conflicts }
  }
  const [first] = change.patch
  if (first?.path === '' && first.op === 'remove') {
    const restored = wholeValue(change.inverse)
    return plan(restored, current ? [{ path: '', yours: restored, theirs: current }] : [])
  }
  const created = first?.path === '' ? wholeValue(change.patch) : undefined
  if (created && !state.implied) {
    if (!current) return plan(undefined, [{ path: '', base: created }])
    return plan(undefined, differences(located, created, current))
  }
  if (created && !isDirect(located, change)) {
    // The document was not created by a caller: it was stored so that its content stays the same after a change of the
    // defaults.
    return undefined
  }
  const assumed = { ...state, current: current ?? state.implied }
  if (created) return merged(assumed, plan, { after: created, before: state.implied as Versioned })
  return planUpdate(assumed, plan)
}

async function planUpdate(state: DocumentState, plan: Plan): Promise<DocumentPlan | undefined> {
  const { located, change, current } = state
  const retained = keptProperties(located)
  const restores = ({ path }: JsonChange) => !retained.has(rootProperty(path))
  const [patch, inverse] = [change.patch.filter(restores), change.inverse.filter(restores)]
  if (patch.length === 0) return undefined
  if (!current)
    return plan(
      undefined,
      patch.map(({ path }) => ({ path })),
    )
  const undone = directlyUndone(current, { ...change, patch, inverse })
  if (undone) return plan(undone)
  const version = change.patch.find(({ path }) => path === '/version') as { readonly value?: unknown } | undefined
  const after = await state.rewind(Number(version?.value))
  const before = after && applyChanges(after, inverse)
  if (!after || !before?.ok)
    return plan(
      current,
      patch.map((part) => ({ path: part.path, ...baseOf(part) })),
    )
  return merged(state, plan, { after, before: before.value as Versioned })
}

type Plan = (wanted: Versioned | undefined, conflicts?: readonly ChangeConflict[]) => DocumentPlan

/**
 * Returns the document without the change, if all parts of the change still have the values that the entry wrote. A
 * whole list must be unchanged, because the patch names its elements by index.
 */
function directlyUndone(current: Versioned, { patch, inverse, lists = {} }: LoggedChange): Versioned | undefined {
  const undone = applyChanges(current, inverse)
  const repeated = undone.ok ? applyChanges(undone.value, patch) : undone
  if (!undone.ok || !repeated.ok || !jsonEqual(repeated.value, current)) return undefined
  // Cast: documents are JSON objects, of which only the properties are used here.
  const properties = current as unknown as Properties
  const roots = new Set(patch.map(({ path }) => rootProperty(path)))
  const listsAreSame = Object.entries(lists).every(
    ([name, print]) => !roots.has(name) || fingerprint(properties[name]) === print,
  )
  return listsAreSame ? (undone.value as Versioned) : undefined
}

/** A document after the change that is undone, and before it. */
interface UndoneChange {
  readonly after: Versioned
  readonly before: Versioned
}

/**
 * Plans a document from which one change is undone while changes that were made after it are kept. Returns undefined
 * when there is nothing to undo.
 */
function merged(
  { located, change, current }: DocumentState,
  plan: Plan,
  { after, before }: UndoneChange,
): DocumentPlan | undefined {
  if (!current) return plan(undefined, [{ path: '', base: after }])
  const retained = keptProperties(located)
  const counts: readonly string[] = located.rules?.counts ?? []
  const isCount = (path: string) => change.actions.length === 0 || counts.includes(rootProperty(path))
  const theirs = pick(current, retained)
  const same = (document: Versioned) => withRenewedParts(pick(document, retained), theirs, located.rules?.renewed)
  const input = { base: same(after), yours: same(before), theirs }
  const { value, conflicts } = mergeThreeWay(input, isCount)
  const rest = Object.entries(current).filter(([name]) => retained.has(name))
  // Cast: documents are JSON objects, of which only the properties are used here.
  const replaced = { ...(value as object), ...Object.fromEntries(rest) } as unknown as Versioned
  if (conflicts.length === 0 && jsonEqual(replaced, current)) {
    // No properties remain when a later change has already undone this change.
    const undone = changedProperties(input.base, input.yours)
    return undone.length === 0
      ? undefined
      : plan(
          replaced,
          undone.map((name) => wholeProperty(name, input)),
        )
  }
  return plan(replaced, wholeWhereComputed(located, conflicts, input))
}

/**
 * Replaces each part of a list by the equal part of the current document. Properties that the engine sets again are
 * ignored in the comparison.
 */
function withRenewedParts(
  document: Properties,
  present: Properties,
  renewed: NonNullable<LocatedDocument['rules']>['renewed'] = {},
): Properties {
  const lists = Object.entries(renewed).map(([name, withoutRenewed]) => {
    const presentParts = partsOf(present[name])
    const replaced = partsOf(document[name]).map((part) => {
      const other = presentParts.find(({ id }) => id === part.id)
      return other && jsonEqual(withoutRenewed(part), withoutRenewed(other)) ? other : part
    })
    return [name, replaced] as const
  })
  return { ...document, ...Object.fromEntries(lists.filter(([name]) => document[name] !== undefined)) }
}

function partsOf(list: unknown): readonly { readonly id: string }[] {
  // Cast: the rules name lists of parts with ids.
  return (list ?? []) as readonly { readonly id: string }[]
}

/**
 * Replaces the conflicts inside of a property by one conflict of the whole property, where responses show the property
 * in another form.
 */
function wholeWhereComputed(
  { collection }: LocatedDocument,
  conflicts: readonly ChangeConflict[],
  versions: VersionsOfProperties,
): readonly ChangeConflict[] {
  const byPath = new Map<string, ChangeConflict>()
  for (const conflict of conflicts) {
    const name = rootProperty(conflict.path)
    const isComputed = typeof collection.shown[name] === 'function'
    const reportedConflict = isComputed ? wholeProperty(name, versions) : conflict
    byPath.set(reportedConflict.path, reportedConflict)
  }
  return [...byPath.values()]
}

type VersionsOfProperties = Readonly<Record<'base' | 'yours' | 'theirs', Properties>>

function wholeProperty(name: string, { base, yours, theirs }: VersionsOfProperties): ChangeConflict {
  return { path: `/${escapeToken(name)}`, base: base[name], yours: yours[name], theirs: theirs[name] }
}

function changedProperties(before: Properties, after: Properties): readonly string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return names.filter((name) => !jsonEqual(before[name], after[name]))
}

/** Returns true when the caller changed the document itself. */
function isDirect({ collection }: LocatedDocument, { actions }: LoggedChange): boolean {
  const changing: readonly string[] = collection.changeActions
  return actions.some((action) => changing.includes(action))
}

/** Returns the properties of a created document that were changed since its creation. */
function differences(located: LocatedDocument, created: Versioned, current: Versioned): ChangeConflict[] {
  const retained = keptProperties(located)
  const [base, theirs] = [pick(created, retained), pick(current, retained)]
  return changedProperties(base, theirs).map((name) => ({
    path: `/${escapeToken(name)}`,
    base: base[name],
    theirs: theirs[name],
  }))
}

/**
 * Returns the properties that a revert does not restore: secrets, and properties that are computed from other changes.
 */
export function keptProperties({ collection, rules }: LocatedDocument): ReadonlySet<string> {
  const restored: readonly string[] = rules?.restores ?? []
  const internal = Object.entries(collection.changes ?? {}).flatMap(([name, action]) =>
    action === null && !restored.includes(name) ? [name] : [],
  )
  return new Set(['version', ...internal, ...collection.secrets.map(String)])
}

function pick(document: object, omitted: ReadonlySet<string>): Properties {
  return Object.fromEntries(
    Object.entries(document).filter(([name, value]) => value !== undefined && !omitted.has(name)),
  )
}

function wholeValue([first]: readonly JsonChange[]): Versioned | undefined {
  return first && first.op !== 'remove' ? (first.value as Versioned) : undefined
}

function baseOf(change: JsonChange): { readonly base?: unknown } {
  return change.op === 'remove' ? {} : { base: change.value }
}
