import type { Host } from '../../operation/context.ts'
import type { DryRun, DryRunResult } from '../../operation/dry-run.ts'
import { fail } from '../../operation/errors.ts'
import { type OverlayStorage, overlayStorage } from '../../storage/overlay-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { serializeEntries } from '../change-log/change-log-response.ts'
import type { ServedContent } from '../evaluation/served-content.ts'
import { type ComparedEnvironment, compareEnvironment } from './compared-environment.ts'
import { missingApprovals, needsApproval } from './missing-approvals.ts'
import { loadPlannedChange } from './planned-change.ts'
import { type ChangeInEnvironment, readSimulation, type SimulationRequest } from './read-simulation.ts'
import { simulatedConfigChange, simulatedFlagChange, simulatedSegmentChange } from './simulated-change.ts'
import type { SimulatedEntry, Simulation } from './simulation.ts'
import { webhooksToNotify } from './webhooks-to-notify.ts'
import { withoutApprovals } from './without-approvals.ts'

/** Dependencies of a simulation. */
export interface SimulationParts {
  readonly storage: AccountStorage
  readonly host: Host
  /** Calls operations as the caller, without a commit. */
  readonly dryRun: DryRun
  /** AI configs and agent graphs, as the engine serves them. */
  readonly served: ServedContent
}

const maxAttempts = 3

/**
 * Executes the operation that makes a change on a storage that discards all writes, and evaluates contexts before and
 * after it (docs/decisions/0044-simulate-changes-with-the-real-operation.md).
 *
 * @throws ApiError as the operation would; `invalid_request` with the invalid property of the input;
 *   `optimistic_locking_error` when other callers keep changing the same documents concurrently.
 */
export async function simulateChange(parts: SimulationParts, input: unknown): Promise<Simulation> {
  const request = readSimulation(input)
  for (let attemptsLeft = maxAttempts; attemptsLeft > 0; attemptsLeft--) {
    const simulation = await attempt(parts, request)
    if (simulation) return simulation
  }
  return fail('optimistic_locking_error')
}

/** Simulates a change once. Returns undefined when data that the change depends on was changed concurrently. */
async function attempt(parts: SimulationParts, request: SimulationRequest): Promise<Simulation | undefined> {
  const isPlanned = 'approvalRequestId' in request || 'scheduledChangeId' in request.change
  const change = isPlanned ? await loadPlannedChange(parts, request) : (request as ChangeInEnvironment)
  const { overlay, result, approvals } = await dryRunChange(parts, change, request.bypassRequiredApproval)
  const keys = change.environmentKeys
  const { served, host } = parts
  const environment =
    (await compareEnvironment(overlay.storage, overlay, { keys, contexts: request.contexts }, { served, host })) ??
    fail('not_found', { message: `there is no environment ${keys.environmentKey} of ${keys.projectKey}` })
  const tx = new StorageReader(overlay.storage)
  const [webhooks, changeLogEntry, isUnchanged] = await Promise.all([
    webhooksToNotify(tx, overlay.changes, result),
    entryOf(tx, result),
    overlay.isCurrent(),
  ])
  if (!isUnchanged) return undefined
  return {
    ...compareContexts(environment, change, request.contexts),
    approvals,
    webhooks,
    changeLogEntry,
    answer: result.response,
  }
}

function compareContexts(
  environment: ComparedEnvironment,
  { kind, resourceKey }: ChangeInEnvironment,
  contexts: SimulationRequest['contexts'],
) {
  if (kind === 'flag') return simulatedFlagChange(environment, resourceKey, contexts)
  if (kind === 'segment') return simulatedSegmentChange(environment, resourceKey, contexts)
  return simulatedConfigChange(environment, resourceKey, contexts)
}

interface DryRunOutcome {
  readonly overlay: OverlayStorage
  readonly result: DryRunResult
  readonly approvals: Simulation['approvals']
}

/** Runs the change. If the change needs approval, runs it again as if it were approved. */
async function dryRunChange(
  { storage, dryRun }: SimulationParts,
  change: ChangeInEnvironment,
  bypass: boolean,
): Promise<DryRunOutcome> {
  const { operation, input } = callOf(change)
  const overlay = overlayStorage(storage)
  try {
    return { overlay, result: await dryRun(overlay.storage, operation, input), approvals: { required: false } }
  } catch (error) {
    if (!needsApproval(error)) throw error
    const { projectKey } = change.environmentKeys
    const approvals = await missingApprovals(storage, dryRun, { projectKey, operation, input }, error)
    const approvedOverlay = overlayStorage(storage)
    const result = bypass
      ? await dryRun(approvedOverlay.storage, operation, { ...input, bypassRequiredApproval: true })
      : await dryRun(withoutApprovals(approvedOverlay.storage), operation, input)
    return { overlay: approvedOverlay, result, approvals }
  }
}

function callOf(planned: ChangeInEnvironment) {
  const { kind, environmentKeys, resourceKey, change } = planned
  const { projectKey, environmentKey } = environmentKeys
  if (kind === 'aiconfig' && 'patch' in change) return configCallOf(planned, change)
  const comment = 'comment' in change && change.comment !== undefined ? { comment: change.comment } : {}
  const body =
    'instructions' in change
      ? { ...comment, environmentKey, instructions: change.instructions }
      : 'patch' in change
        ? patchBody(change.patch, comment)
        : undefined
  if (kind === 'flag') return { operation: 'patchFlag', input: { projectKey, flagKey: resourceKey, body } }
  if (kind === 'aiconfig') {
    return { operation: 'patchAIConfigTargeting', input: { projectKey, configKey: resourceKey, body } }
  }
  return { operation: 'patchSegment', input: { projectKey, environmentKey, segmentKey: resourceKey, body } }
}

/**
 * Returns the call that changes an AI config or one of its variations. Its body contains the new properties; the
 * comment of a variation is one of them.
 */
function configCallOf(
  { environmentKeys: { projectKey }, resourceKey: configKey, variationKey }: ChangeInEnvironment,
  { patch, comment }: { readonly patch: unknown; readonly comment?: string | undefined },
) {
  if (variationKey === undefined) return { operation: 'patchAIConfig', input: { projectKey, configKey, body: patch } }
  const body = comment === undefined ? patch : { comment, ...(patch as object) }
  return { operation: 'patchAIConfigVariation', input: { projectKey, configKey, variationKey, body } }
}

/**
 * Returns the body of a patch, with its comment. The patch may already be a body: an object with the patch and its
 * comment.
 */
function patchBody(patch: unknown, comment: { readonly comment?: string }): unknown {
  return Array.isArray(patch) ? { ...comment, patch } : { ...comment, ...(patch as object) }
}

/** Returns the change log entry without the properties that are set when it is stored. */
async function entryOf(tx: StorageReader, { entry, format }: DryRunResult): Promise<SimulatedEntry | undefined> {
  if (!entry) return undefined
  const [serialized] = await serializeEntries({ tx, format }, [entry])
  if (!serialized) return undefined
  const { _links, _id, date, member, token, app, ...visible } = serialized
  return visible
}
