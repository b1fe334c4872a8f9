import { ownSettings, settingKinds } from '../../models/environments/approval-settings.ts'
import type { DryRun } from '../../operation/dry-run.ts'
import { ApiError } from '../../operation/errors.ts'
import { overlayStorage } from '../../storage/overlay-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { loadEnvironments } from '../flags/flag-state.ts'
import type { Simulation } from './simulation.ts'
import { withoutApprovals } from './without-approvals.ts'

/**
 * Returns true if a call failed because it needs approval: operations use this error code only for a missing approval
 * (docs/decisions/0003-fill-gaps-in-the-domain-rules.md#d31-approvals).
 */
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
  { projectKey, operation, input }: RejectedChange,
  firstError: ApiError,
): Promise<Simulation['approvals']> {
  const allEnvironments = await loadEnvironments(new StorageReader(storage), projectKey)
  const withApproval = allEnvironments.filter((environment) =>
    settingKinds.some((kind) => ownSettings(environment, kind)?.required),
  )
  const results = await Promise.all(
    withApproval.map(async ({ key }) => {
      const storageOfOne = withoutApprovals(overlayStorage(storage).storage, key)
      const error = await dryRun(storageOfOne, operation, input).then(
        () => undefined,
        (error) => error,
      )
      return needsApproval(error) ? [{ environmentKey: key, why: error.message }] : []
    }),
  )
  const missing = results.flat()
  return {
    required: true,
    why: missing.length === 0 ? firstError.message : missing.map(({ why }) => why).join('; '),
    environments: missing.map(({ environmentKey }) => environmentKey),
  }
}

/** A change that an operation rejected. */
export interface RejectedChange {
  readonly projectKey: string
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
}
