import { type AccountStorage, type DocumentId, isUnder, type SetId, type StoredDocument } from '../port.ts'

/** The parts of the storage of a branch. */
export interface BranchParts {
  /** The account from which the branch was made. */
  readonly trunk: AccountStorage
  /** The rows of the branch, which are stored in a separate account. */
  readonly own: AccountStorage
  /** The id of the branch. A branch that is deleted and made again under the same name has another id. */
  readonly id: string
  /** Names of series whose samples in the trunk are not part of the branch. */
  readonly ownSeries: ReadonlySet<string>
  /** Maximum number of rows of the branch. */
  readonly maxRows: number
  /** Called when the branch has been deleted. */
  onDeleted(): never
  /** Called when a commit would exceed `maxRows`. */
  onFull(): never
}

/**
 * The state of a branch. Every commit to the branch replaces it, so the commits of one branch are made one after the
 * other.
 */
export interface BranchState {
  readonly id: string
  readonly name: string
  /** Integer ms, UTC. */
  readonly createdAt: number
  /** Time at which the branch ends: integer ms, UTC. */
  readonly expiresAt: number
  /** Secret from which the SDK keys of the branch are made. */
  readonly secret: string
  /** Number of rows that the branch has added. */
  readonly rows: number
  /** Scopes that the branch has cleared: it does not show records of the trunk in them. */
  readonly clearedScopes: readonly string[]
  /** Sets whose keys in the trunk are not part of the branch, by `setName`. */
  readonly emptiedSets: readonly string[]
}

export const branchStateId: DocumentId = { collection: 'halyard-branch', scope: '', key: 'state' }

/** Returns the state of a new branch. */
export function newBranchState(
  branch: Pick<BranchState, 'id' | 'name' | 'createdAt' | 'expiresAt' | 'secret'>,
): BranchState {
  return { ...branch, rows: 0, clearedScopes: [], emptiedSets: [] }
}

/**
 * Returns the state that a document contains; calls `onDeleted` when the branch does not exist or was replaced by
 * another one.
 */
export function stateIn(
  { id, onDeleted }: Pick<BranchParts, 'id' | 'onDeleted'>,
  document: StoredDocument | undefined,
): BranchState {
  // Cast: only commits of branches write the document.
  const state = document?.body as BranchState | undefined
  return state?.id === id ? state : onDeleted()
}

/** Reads the state of a branch. */
export async function readState(parts: BranchParts): Promise<BranchState> {
  return stateIn(parts, await parts.own.get(branchStateId))
}

/** Returns true when the branch shows nothing of the trunk in a scope. */
export function isCleared({ clearedScopes }: BranchState, scope: string): boolean {
  return clearedScopes.some((cleared) => isUnder(scope, cleared))
}

/** Returns true when the branch shows no key of the trunk in a set. */
export function isEmptied(state: BranchState, set: SetId): boolean {
  return isCleared(state, set.scope) || state.emptiedSets.includes(setName(set))
}

/** Returns a text that is unique for each set. */
export function setName({ name, scope }: SetId): string {
  return JSON.stringify([name, scope])
}
