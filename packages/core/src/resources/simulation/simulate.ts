import type { Host } from '../../operation/context.ts'
import type { DryRun, DryRunResult } from '../../operation/dry-run.ts'
import { fail } from '../../operation/errors.ts'
import { type OverlayStorage, overlayStorage } from '../../storage/overlay-storage.ts'
import type { AccountStorage } from '../../storage/port.ts'
import { StorageReader } from '../../storage/reader.ts'
import { presentEntries } from '../change-log/change-log-wire.ts'
import { type ComparedEnvironment, compareEnvironment } from './compared-environment.ts'
import { missingApprovals, needsApproval } from './missing-approvals.ts'
import { plannedChange } from './planned-change.ts'
import { type AskedSimulation, type PlacedChange, readSimulation } from './read-simulation.ts'
import { simulatedFlagChange, simulatedSegmentChange } from './simulated-change.ts'
import type { SimulatedEntry, Simulation } from './simulation.ts'
import { toldWebhooks } from './told-webhooks.ts'
import { withoutApprovals } from './without-approvals.ts'

/** Dependencies of a simulation. */
export interface SimulationParts {
  readonly storage: AccountStorage
  readonly host: Host
  /** Calls operations as the caller, without a commit. */
  readonly dryRun: DryRun
}

const mostAttempts = 3

/**
 * Makes a change by the operation that makes it, on a storage of which nothing is changed, and asks contexts before and
 * after (docs/decisions/0044-simulate-changes-with-the-real-operation.md).
 *
 * @throws ApiError as the operation would; `invalid_request` naming what of the input is at fault;
 *   `optimistic_locking_error` when others keep changing the same thing meanwhile.
 */
export async function simulateChange(parts: SimulationParts, input: unknown): Promise<Simulation> {
  const asked = readSimulation(input)
  for (let left = mostAttempts; left > 0; left--) {
    const simulation = await attempt(parts, asked)
    if (simulation) return simulation
  }
  return fail('optimistic_locking_error')
}

/** @returns undefined when data that the change depends on was changed concurrently. */
async function attempt(parts: SimulationParts, asked: AskedSimulation): Promise<Simulation | undefined> {
  const planned = 'approvalRequestId' in asked || 'scheduledChangeId' in asked.change
  const placed = planned ? await plannedChange(parts, asked) : (asked as PlacedChange)
  const { glass, rehearsed, approvals } = await rehearsedChange(parts, placed, asked.bypassRequiredApproval)
  const now = parts.host.now()
  const keys = placed.place
  const environment =
    (await compareEnvironment(glass.storage, glass, keys, asked.contexts, now)) ??
    fail('not_found', { message: `there is no environment ${keys.environmentKey} of ${keys.projectKey}` })
  const tx = new StorageReader(glass.storage)
  const [webhooks, changeLogEntry, holds] = await Promise.all([
    toldWebhooks(tx, glass.changes, rehearsed),
    entryOf(tx, rehearsed),
    glass.isCurrent(),
  ])
  if (!holds) return undefined
  return {
    ...simulatedAnswers(environment, placed, asked.contexts),
    approvals,
    webhooks,
    changeLogEntry,
    answer: rehearsed.response,
  }
}

function simulatedAnswers(
  environment: ComparedEnvironment,
  { kind, resourceKey }: PlacedChange,
  contexts: AskedSimulation['contexts'],
) {
  return kind === 'flag'
    ? simulatedFlagChange(environment, resourceKey, contexts)
    : simulatedSegmentChange(environment, resourceKey, contexts)
}

interface RehearsedChange {
  readonly glass: OverlayStorage
  readonly rehearsed: DryRunResult
  readonly approvals: Simulation['approvals']
}

/** Runs the change, and when it needs approval once more as if it were approved. */
async function rehearsedChange(
  { storage, dryRun }: SimulationParts,
  placed: PlacedChange,
  bypass: boolean,
): Promise<RehearsedChange> {
  const { operation, input } = callOf(placed)
  const glass = overlayStorage(storage)
  try {
    return { glass, rehearsed: await dryRun(glass.storage, operation, input), approvals: { required: false } }
  } catch (error) {
    if (!needsApproval(error)) throw error
    const { projectKey } = placed.place
    const approvals = await missingApprovals(storage, dryRun, { projectKey, operation, input }, error)
    const again = overlayStorage(storage)
    const rehearsed = bypass
      ? await dryRun(again.storage, operation, { ...input, bypassRequiredApproval: true })
      : await dryRun(withoutApprovals(again.storage), operation, input)
    return { glass: again, rehearsed, approvals }
  }
}

function callOf({ kind, place: { projectKey, environmentKey }, resourceKey, change }: PlacedChange) {
  const comment = 'comment' in change && change.comment !== undefined ? { comment: change.comment } : {}
  const body =
    'instructions' in change
      ? { ...comment, environmentKey, instructions: change.instructions }
      : 'patch' in change
        ? patchBody(change.patch, comment)
        : undefined
  return kind === 'flag'
    ? { operation: 'patchFlag', input: { projectKey, featureFlagKey: resourceKey, body } }
    : { operation: 'patchSegment', input: { projectKey, environmentKey, segmentKey: resourceKey, body } }
}

/** A patch may be sent alone or with its comment, as in the body of the operation. */
function patchBody(patch: unknown, comment: { readonly comment?: string }): unknown {
  return Array.isArray(patch) ? { ...comment, patch } : { ...comment, ...(patch as object) }
}

/** Returns the change log entry without the properties that are set when it is stored. */
async function entryOf(tx: StorageReader, { entry, format }: DryRunResult): Promise<SimulatedEntry | undefined> {
  if (!entry) return undefined
  const [shown] = await presentEntries({ tx, format }, [entry])
  if (!shown) return undefined
  const { _links, _id, date, member, token, app, ...told } = shown
  return told
}
