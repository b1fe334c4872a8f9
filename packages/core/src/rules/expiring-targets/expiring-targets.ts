/** A day on which a key stops being a target; flags and segments share the shape. */
export interface ExpiringTarget {
  readonly id: string
  /** 1 at first, one more with each change of the date. */
  readonly version: number
  /** Which list the key is in: a side of a segment, or the id of a flag's variation. */
  readonly place: string
  readonly contextKind: string
  readonly contextKey: string
  /** Integer ms, UTC: from then on the key is no target. */
  readonly expiresAt: number
}

/** What one target is told apart by. */
export type TargetName = Pick<ExpiringTarget, 'place' | 'contextKind' | 'contextKey'>

/** What an instruction asks for. */
export type ExpiryEdit = TargetName & {
  /** Which the date must still have, where the caller says so. */
  readonly version?: number
} & ({ readonly do: 'add' | 'update'; readonly expiresAt: number } | { readonly do: 'remove' })

export interface ExpiryFault {
  /** Index of the edit. */
  readonly index: number
  /** Member of the edit that is at fault. */
  readonly attribute: 'contextKey' | 'expiresAt' | 'version'
  readonly reason: string
}

export interface EditedExpiries {
  readonly targets: readonly ExpiringTarget[]
  /** Why edits cannot be made, each with its index; empty when all can. */
  readonly faults: readonly ExpiryFault[]
}

/** What the dates stand on. */
export interface ExpiryGround {
  /** Whether a key is a target now: only such a one can stop being one. */
  isTarget(name: TargetName): boolean
  /** Integer ms, UTC. */
  readonly now: number
  /** Makes ids, each unique for ever. */
  newId(): string
}

/**
 * Makes edits one after another. What is already so stays as it is, and succeeds (D12): adding a date that the target
 * has, removing one that it has not.
 *
 * @returns the dates as they are then, and why edits cannot be made; `version` at fault means that somebody else was
 *   first.
 */
export function editExpiringTargets(
  before: readonly ExpiringTarget[],
  edits: readonly ExpiryEdit[],
  ground: ExpiryGround,
): EditedExpiries {
  const targets = new Map(before.map((one) => [nameOf(one), one]))
  const faults: ExpiryFault[] = []
  for (const [index, edit] of edits.entries()) {
    const name = nameOf(edit)
    const there = targets.get(name)
    const fault = faultOf(edit, there, ground)
    if (fault) faults.push({ ...fault, index })
    else if (edit.do === 'remove') targets.delete(name)
    else if (!there) targets.set(name, newTarget(edit, edit.expiresAt, ground.newId()))
    else if (there.expiresAt !== edit.expiresAt) {
      targets.set(name, { ...there, version: there.version + 1, expiresAt: edit.expiresAt })
    }
  }
  return { targets: [...targets.values()], faults }
}

/** A moment to those who only ask which dates have come: what they say stays right until the next one comes. */
export interface Moment {
  /** @param at integer ms, UTC. */
  hasCome(at: number): boolean
}

/** Those whose date has come. */
export function expiredTargets(targets: readonly ExpiringTarget[], moment: Moment): readonly ExpiringTarget[] {
  return targets.filter(({ expiresAt }) => moment.hasCome(expiresAt))
}

function faultOf(
  edit: ExpiryEdit,
  there: ExpiringTarget | undefined,
  { isTarget, now }: ExpiryGround,
): Omit<ExpiryFault, 'index'> | undefined {
  if (there && edit.version !== undefined && edit.version !== there.version) {
    return { attribute: 'version', reason: `must be ${there.version}: the date has been changed` }
  }
  if (edit.do === 'remove') return undefined
  if (!isTarget(edit)) return { attribute: 'contextKey', reason: 'must be a target already' }
  if (edit.do === 'update' && !there) return { attribute: 'contextKey', reason: 'has no date that could be changed' }
  if (edit.do === 'add' && there && there.expiresAt !== edit.expiresAt) {
    return { attribute: 'contextKey', reason: 'has a date already, which can be changed' }
  }
  return edit.expiresAt > now ? undefined : { attribute: 'expiresAt', reason: 'must be in the future' }
}

function newTarget({ place, contextKind, contextKey }: TargetName, expiresAt: number, id: string): ExpiringTarget {
  return { id, version: 1, place, contextKind, contextKey, expiresAt }
}

/** One text for each target: neither a kind nor a place holds a line break, so that the key, which may, comes last. */
function nameOf({ place, contextKind, contextKey }: TargetName): string {
  return `${place}\n${contextKind}\n${contextKey}`
}
