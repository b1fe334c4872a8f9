/** A time at which a key stops being a target; flags and segments share the shape. */
export interface ExpiringTarget {
  readonly id: string
  /** Starts at 1 and increases with each change of the date. */
  readonly version: number
  /** List that contains the key: `included` or `excluded` of a segment, or the id of a flag's variation. */
  readonly place: string
  readonly contextKind: string
  readonly contextKey: string
  /** Time from which the key is no longer a target: integer ms, UTC. */
  readonly expiresAt: number
}

/** Properties that identify a target. */
export type TargetId = Pick<ExpiringTarget, 'place' | 'contextKind' | 'contextKey'>

/** Edit of the expiry dates that an instruction describes. */
export type ExpiryEdit = TargetId & {
  /** Version that the target must have, if the caller specifies one. */
  readonly version?: number
} & ({ readonly do: 'add' | 'update'; readonly expiresAt: number } | { readonly do: 'remove' })

export interface ExpiryError {
  /** Index of the edit. */
  readonly index: number
  /** Property of the edit that is invalid. */
  readonly attribute: 'contextKey' | 'expiresAt' | 'version'
  readonly reason: string
}

export interface ExpiryEditResult {
  readonly targets: readonly ExpiringTarget[]
  /** Reasons why edits cannot be applied, each with the index of the edit; empty if all were applied. */
  readonly errors: readonly ExpiryError[]
}

/** Data and functions that edits depend on. */
export interface ExpiryEditOptions {
  /** Returns true if a key is a target now: only then can it expire. */
  isTarget(name: TargetId): boolean
  /** Integer ms, UTC. */
  readonly now: number
  /** Creates ids that are never used twice. */
  newId(): string
}

/**
 * Applies edits one after another. An edit without effect succeeds
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch), such as adding a date that the target
 * already has, or removing one that it does not have.
 *
 * @returns the resulting targets, and the reasons why edits could not be applied; an error in `version` means that
 *   another client changed the date first.
 */
export function editExpiringTargets(
  before: readonly ExpiringTarget[],
  edits: readonly ExpiryEdit[],
  options: ExpiryEditOptions,
): ExpiryEditResult {
  const targets = new Map(before.map((target) => [targetKey(target), target]))
  const errors: ExpiryError[] = []
  for (const [index, edit] of edits.entries()) {
    const name = targetKey(edit)
    const existing = targets.get(name)
    const error = validateEdit(edit, existing, options)
    if (error) errors.push({ ...error, index })
    else if (edit.do === 'remove') targets.delete(name)
    else if (!existing) targets.set(name, newTarget(edit, edit.expiresAt, options.newId()))
    else if (existing.expiresAt !== edit.expiresAt) {
      targets.set(name, { ...existing, version: existing.version + 1, expiresAt: edit.expiresAt })
    }
  }
  return { targets: [...targets.values()], errors }
}

/**
 * A clock that only reports which dates have passed, so that a result that depends on it stays valid until the next
 * date passes.
 */
export interface ExpiryClock {
  /** Returns true if a time (integer ms, UTC) has passed. */
  hasCome(time: number): boolean
}

/** Returns the targets whose date has passed. */
export function expiredTargets(targets: readonly ExpiringTarget[], clock: ExpiryClock): readonly ExpiringTarget[] {
  return targets.filter(({ expiresAt }) => clock.hasCome(expiresAt))
}

function validateEdit(
  edit: ExpiryEdit,
  existing: ExpiringTarget | undefined,
  { isTarget, now }: ExpiryEditOptions,
): Omit<ExpiryError, 'index'> | undefined {
  if (existing && edit.version !== undefined && edit.version !== existing.version) {
    return { attribute: 'version', reason: `must be ${existing.version}: the date has been changed` }
  }
  if (edit.do === 'remove') return undefined
  if (!isTarget(edit)) return { attribute: 'contextKey', reason: 'must be a target already' }
  if (edit.do === 'update' && !existing)
    return { attribute: 'contextKey', reason: 'must have a date that can be updated' }
  if (edit.do === 'add' && existing && existing.expiresAt !== edit.expiresAt) {
    return { attribute: 'contextKey', reason: 'must not have a date already: use an update instead' }
  }
  return edit.expiresAt > now ? undefined : { attribute: 'expiresAt', reason: 'must be in the future' }
}

function newTarget({ place, contextKind, contextKey }: TargetId, expiresAt: number, id: string): ExpiringTarget {
  return { id, version: 1, place, contextKind, contextKey, expiresAt }
}

/**
 * Returns a unique text for each target: neither a kind nor a list contains a line break, and the key, which may, comes
 * last.
 */
function targetKey({ place, contextKind, contextKey }: TargetId): string {
  return `${place}\n${contextKind}\n${contextKey}`
}
