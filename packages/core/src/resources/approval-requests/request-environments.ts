import type { ResourceRef } from '../../models/approval-requests/approval-request.ts'
import {
  type ApprovalSettings,
  settingsFor,
  settingsForAll,
  settingsForList,
} from '../../models/environments/approval-settings.ts'
import { type Environment, environments } from '../../models/environments/environment.ts'
import type { Reader } from '../../storage/reader.ts'
import { loadEnvironments } from '../flags/flag-state.ts'

/**
 * Returns the environments that a request concerns: the environment that it names, or all environments of the project.
 * Returns undefined when these were deleted concurrently.
 */
export async function loadRequestEnvironments(
  tx: Reader,
  { projectKey, environmentKey }: ResourceRef,
): Promise<readonly Environment[] | undefined> {
  if (environmentKey === undefined) {
    const all = await loadEnvironments(tx, projectKey)
    return all.length === 0 ? undefined : all
  }
  const environment = await tx.get(environments, { projectKey, environmentKey })
  return environment && [environment]
}

/** Returns the approval settings that apply to a request now. */
export function settingsOfRequest(
  { kind, environmentKey }: ResourceRef,
  concerned: readonly Environment[],
): ApprovalSettings {
  if (kind === 'proj') return settingsForList(concerned)
  const [environment] = concerned
  return environmentKey === undefined || !environment ? settingsForAll(concerned, kind) : settingsFor(environment, kind)
}
