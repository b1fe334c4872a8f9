import type { ChangeActions, Documents, PartActions, Versioned } from '../storage/collection.ts'
import type { Action } from '../vocabulary/policy-kinds.ts'

/**
 * The actions that a change needs, in addition to the right to see the resource, by the path of the part that is
 * changed: `/name` is that property alone, `/metadata/**` the property and everything below it.
 */
export type PathActions = Readonly<Record<string, readonly Action[]>>

/**
 * Returns the paths of a patch with the actions that a collection declares for its properties
 * (docs/decisions/0002-decide-access-by-policy.md#d17-actions).
 *
 * @param collection collection of the documents that the patch changes.
 * @param propertyAt returns the stored property of a path. Default: the first token of the path.
 */
export function actionsByPath<T extends Versioned>(
  paths: readonly string[],
  { changes }: Pick<Documents<T>, 'changes'>,
  propertyAt: (path: string) => string = firstToken,
): PathActions {
  const actionsOf = (path: string): readonly Action[] => {
    const action: Action | null | PartActions<T> | undefined = changes?.[propertyAt(path) as keyof ChangeActions<T>]
    if (action === null || action === undefined) return []
    return typeof action === 'string' ? [action] : action.actions
  }
  return Object.fromEntries(paths.map((path) => [path, actionsOf(path)]))
}

function firstToken(path: string): string {
  return path.split('/')[1] as string
}
