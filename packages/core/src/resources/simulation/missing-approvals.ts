import type { DryRun } from '../../operation/dry-run.ts'
import { ApiError } from '../../operation/errors.ts'
import { overlayStorage } from '../../storage/overlay-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { loadEnvironments } from '../flags/flag-state.ts'
import type { Simulation } from './simulation.ts'
import { withoutApprovals } from './without-approvals.ts'

/** Tells whether a call failed because it needs approval: operations use this code for nothing else (D31). */
export function needsApproval(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'method_not_allowed'
}

/**
 * Determines which environments require approval of a change. The operation reports only the first one, so it runs once
 * for each environment that may require approval, as if no other did.
 *
 * @param firstError error of the operation.
 */
export async function missingApprovals(
  storage: AccountStorage,
  dryRun: DryRun,
  { projectKey, operation, input }: RefusedChange,
  first: ApiError,
): Promise<Simulation['approvals']> {
  const all = await loadEnvironments(new StorageReader(storage), projectKey)
  const strict = all.filter((one) => one.approvalSettings.required || one.resourceApprovalSettings?.segment?.required)
  const asked = await Promise.all(
    strict.map(async ({ key }) => {
      const only = withoutApprovals(overlayStorage(storage).storage, key)
      const refused = await dryRun(only, operation, input).then(
        () => undefined,
        (error) => error,
      )
      return needsApproval(refused) ? [{ environmentKey: key, why: refused.message }] : []
    }),
  )
  const found = asked.flat()
  return {
    required: true,
    why: found.length === 0 ? first.message : found.map(({ why }) => why).join('; '),
    environments: found.map(({ environmentKey }) => environmentKey),
  }
}

/** A change that an operation rejected. */
export interface RefusedChange {
  readonly projectKey: string
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}
