import { jsonEqual } from '../rules/json-equal.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'
import type { ChangeActions, Documents, PartActions, Versioned } from './collection.ts'

/** A change that needs the caller's right to it, seen from the verb that was called. */
export interface ChangedDocument {
  readonly collection: Documents<Versioned>
  readonly keys: Readonly<Record<string, string>>
  readonly before: Versioned
  readonly actions: readonly Action[]
}

/**
 * The actions that a change of a document needs (D17), or undefined where nothing but book-keeping differs.
 *
 * @param seen what the caller saw in place of `before`, where time alone has changed it.
 */
export function actionsToChange<T extends Versioned, A extends string>(
  { changes }: Pick<Documents<T, A>, 'changes'>,
  seen: T,
  before: T,
  after: T,
): readonly Action[] | undefined {
  const differing = differingMembers(seen, after)
  const actions = changes ? actionsFor(changes, differing, before, after) : []
  return differing.length === 0 || (changes && actions.length === 0) ? undefined : actions
}

/** Whether two documents say the same, whatever their versions. */
export function isSame(before: object, after: object): boolean {
  return differingMembers(before, after).length === 0
}

function differingMembers(before: object, after: object): string[] {
  const a = before as Record<string, unknown>
  const b = after as Record<string, unknown>
  const names = new Set([...Object.keys(a), ...Object.keys(b)])
  names.delete('version')
  return [...names].filter((name) => !jsonEqual(a[name], b[name]))
}

function actionsFor<T extends Versioned>(
  changes: ChangeActions<T>,
  members: readonly string[],
  before: T,
  after: T,
): Action[] {
  const actions = members.flatMap((name): readonly Action[] => {
    const action: Action | null | PartActions<T> | undefined = changes[name as keyof ChangeActions<T>]
    if (action === null || action === undefined) return []
    return typeof action === 'string' ? [action] : action.of(before, after)
  })
  return [...new Set(actions)]
}
