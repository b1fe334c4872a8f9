import type { BoundApi } from '@halyard/core'
import type { EvaluationContext } from '@halyard/core/evaluation'
import { ownership } from './ownership.ts'
import { type ChangeOptions, type PlannedChange, plannedChanges } from './planned-changes.ts'
import type { ProjectFile } from './project-file.ts'
import { fileOf, readProject } from './stored-project.ts'
import { projectModuleText } from './typescript-text.ts'
import { projectFileText } from './yaml-text.ts'

/** A project to read from and to change. */
export interface FlagsTarget {
  /** The operations for one caller: `engine.as(caller)`, or `createClient(…).api`. */
  readonly api: BoundApi
}

/** Options of a plan. */
export interface PlanOptions extends ChangeOptions {
  /**
   * Makes the changes without the approval that they require. The caller needs the right to bypass approvals. Default:
   * false.
   */
  readonly bypassRequiredApproval?: boolean
  /**
   * Contexts to evaluate before and after the changes: at most 1,000. Default: the contexts that the server evaluated
   * last in each environment, at most 1,000, which it keeps in memory.
   */
  readonly contexts?: readonly EvaluationContext[]
}

/** Options of `applyPlan`. */
export interface ApplyOptions {
  /**
   * Description of an approval request for the whole plan, which is made in place of the changes when one of them
   * requires approval. Default: such a plan is refused.
   */
  readonly requestApproval?: string
}

/** The result of `applyPlan`. */
export interface AppliedPlan {
  /** Id of the approval request for the plan; undefined when the changes were made. */
  readonly approvalRequestId?: string
}

/** The changes of one resource. */
export interface PlanStep {
  /** Kind and key of the resource, e.g. `flag checkout`. */
  readonly resource: string
  /** Sentences about the changes, e.g. `turned on Checkout in Production`. */
  readonly sentences: readonly string[]
  readonly needsApproval: boolean
}

/** The contexts that would get another variation or value of a flag or an AI config. */
export interface PlanEffect {
  /** Kind and key, e.g. `flag checkout`. */
  readonly resource: string
  readonly environmentKey: string
  /** Number of contexts that were evaluated. */
  readonly evaluated: number
  /** Number of contexts that would change; at least 1. */
  readonly changed: number
  /** The first 20 contexts that would change. */
  readonly contexts: readonly PlanEffectContext[]
}

/** A context that would change, and its results. */
export interface PlanEffectContext {
  /** Keys of the context by kind, e.g. `{ user: 'ann' }`. */
  readonly keys: Readonly<Record<string, string>>
  readonly before: PlanEffectResult
  readonly after: PlanEffectResult
}

/** The result that a context receives. */
export interface PlanEffectResult {
  /** Index of the variation; null for the default of the program. */
  readonly variation: number | null
  /** Absent for the default of the program. */
  readonly value?: unknown
  /** Kind of the reason, e.g. `RULE_MATCH`. */
  readonly reason: string
}

/** The changes that `applyPlan` would make. A plan is JSON, which a program can store and apply later. */
export interface FlagsPlan {
  readonly project: string
  readonly steps: readonly PlanStep[]
  /** The contexts that would change, by environment and resource; new flags are left out. */
  readonly effects: readonly PlanEffect[]
  /** Number of contexts that were evaluated before and after the changes. */
  readonly evaluatedContexts: number
  /** Resources that the file owns and does not contain; they are deleted with `prune` only. */
  readonly unlisted: readonly string[]
  /** The calls of operations, in their order. */
  readonly changes: readonly PlannedChange[]
}

/**
 * A change that cannot be made, because of another change or a missing approval.
 *
 * @example
 * ```ts
 * import { applyPlan, FlagsConflict, type FlagsPlan, type FlagsTarget } from '@halyard/import'
 *
 * export async function applyOnce(target: FlagsTarget, plan: FlagsPlan): Promise<string> {
 *   try {
 *     await applyPlan(target, plan)
 *     return 'applied'
 *   } catch (error) {
 *     if (!(error instanceof FlagsConflict)) throw error
 *     return error.message // names what another call has changed, or what needs approval
 *   }
 * }
 * ```
 */
export class FlagsConflict extends Error {
  override readonly name = 'FlagsConflict'
  /** `optimistic_locking_error` after a change by another caller, `method_not_allowed` without approval. */
  readonly code: 'optimistic_locking_error' | 'method_not_allowed'

  constructor(code: FlagsConflict['code'], message: string, cause?: unknown) {
    super(message, { cause })
    this.code = code
  }
}

/**
 * Reads a project as a file of flags: settings, environments, segments and flags, without secrets and without the keys
 * of big segments.
 *
 * @param existing the file that the result replaces: its ownership remains, and in YAML its comments. Default: a file
 *   that owns the whole project.
 * @param format `typescript` for a module that exports `project`. Default: `yaml`.
 * @returns the text of the file.
 *
 * @example
 * ```ts
 * import { applyPlan, parseProjectFile, planFlags, planText, pullFlags } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * await engine.given.flag('web', 'checkout')
 * const target = { api: engine.as({ role: 'owner' }) }
 * const text = await pullFlags(target, 'web')
 * const file = parseProjectFile(text.replace('on: false', 'on: true'))
 * const plan = await planFlags(target, file)
 * console.log(planText(plan).split('\n')[1]?.trim()) // turned on checkout in Production
 * await applyPlan(target, plan)
 * ```
 */
export async function pullFlags(
  { api }: FlagsTarget,
  projectKey: string,
  existing?: { readonly file: ProjectFile; readonly text: string },
  format: 'yaml' | 'typescript' = 'yaml',
): Promise<string> {
  const owns = existing?.file.owns
  const pulled = fileOf(await readProject(api, projectKey), owns, ownership(owns))
  return format === 'typescript' ? projectModuleText(pulled, existing) : projectFileText(pulled, existing?.text)
}

/**
 * Compares a file with its project, and performs the changes as a dry run. The plan has the sentences that the change
 * log would have, the changes that require approval, and the contexts that would get another variation.
 *
 * @throws ProjectFileError for a file that the project cannot follow; ApiError when a change is refused for another
 *   reason than a missing approval.
 *
 * @example
 * ```ts
 * import { applyPlan, parseProjectFile, planFlags, planText, pullFlags } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * await engine.given.flag('web', 'checkout')
 * const target = { api: engine.as({ role: 'owner' }) }
 * const text = await pullFlags(target, 'web')
 * const file = parseProjectFile(text.replace('on: false', 'on: true'))
 * const plan = await planFlags(target, file)
 * console.log(planText(plan).split('\n')[1]?.trim()) // turned on checkout in Production
 * await applyPlan(target, plan)
 * ```
 */
export async function planFlags(
  { api }: FlagsTarget,
  file: ProjectFile,
  options: PlanOptions = {},
): Promise<FlagsPlan> {
  const { changes: planned, unlisted } = plannedChanges(file, await readProject(api, file.project), options)
  const changes = options.bypassRequiredApproval ? planned.map(withBypass) : planned
  return { project: file.project, ...(await simulated(api, changes, options.contexts)), unlisted, changes }
}

/** Operations that can require an approval, and accept the parameter that bypasses it. */
const approved = ['patchFlag', 'patchSegment', 'deleteFlag', 'deleteSegment']

function withBypass(change: PlannedChange): PlannedChange {
  if (!approved.includes(change.operation)) return change
  return { ...change, parameters: { ...change.parameters, bypassRequiredApproval: true } }
}

/**
 * Makes the changes of a plan as one commit: all of them or none. With `requestApproval`, a plan that requires approval
 * becomes one approval request.
 *
 * @throws FlagsConflict naming the resource that another caller has changed since the plan, or the resources that need
 *   an approval. ApiError when a change is refused for another reason.
 *
 * @example
 * ```ts
 * import { applyPlan, parseProjectFile, planFlags, planText, pullFlags } from '@halyard/import'
 * import { createTestEngine } from '@halyard/testing'
 *
 * const engine = await createTestEngine()
 * await engine.given.project('web')
 * await engine.given.flag('web', 'checkout')
 * const target = { api: engine.as({ role: 'owner' }) }
 * const text = await pullFlags(target, 'web')
 * const file = parseProjectFile(text.replace('on: false', 'on: true'))
 * const plan = await planFlags(target, file)
 * console.log(planText(plan).split('\n')[1]?.trim()) // turned on checkout in Production
 * await applyPlan(target, plan)
 * ```
 */
export async function applyPlan(
  { api }: FlagsTarget,
  { project, steps, changes }: FlagsPlan,
  { requestApproval }: ApplyOptions = {},
): Promise<AppliedPlan> {
  const unapproved = steps.filter(({ needsApproval }) => needsApproval).map(({ resource }) => resource)
  if (unapproved.length > 0 && requestApproval === undefined) {
    const message = `approval is required for ${unapproved.join(', ')}: request or bypass it; nothing was changed`
    throw new FlagsConflict('method_not_allowed', message)
  }
  if (changes.length === 0) return {}
  try {
    if (requestApproval === undefined || unapproved.length === 0) {
      await api.applyChanges({ body: { changes: changes.map(callOf) } })
      return {}
    }
    const instructions = changes.map((change) => ({ kind: 'applyChange', ...callOf(change) }))
    const body = { resourceId: `proj/${project}`, description: requestApproval, instructions }
    return { approvalRequestId: (await api.createApprovalRequest({ body }))._id }
  } catch (error) {
    throw namedConflict(error, changes)
  }
}

function callOf({ operation, parameters, body }: PlannedChange) {
  return { operation, parameters, ...(body !== undefined && { body }) }
}

/**
 * Returns a conflict with the name of the resource that an error of `applyChanges` is about; returns other errors
 * unchanged.
 */
function namedConflict(error: unknown, changes: readonly PlannedChange[]): unknown {
  const { code, message } = error as { readonly code?: string; readonly message: string }
  if (code !== 'optimistic_locking_error') return error
  const resource = changes[indexIn(message)]?.resource ?? 'a resource'
  const text = `another call has changed ${resource} since the plan, and nothing was changed: ${message}`
  return new FlagsConflict(code, text, error)
}

/** Returns the index of the change in the message of an error. */
function indexIn(message: string): number {
  return Number(/^changes\.(\d+) /.exec(message)?.[1] ?? Number.NaN)
}

/** Performs the changes as a dry run, as if they were approved. */
async function simulated(
  api: BoundApi,
  changes: readonly PlannedChange[],
  contexts: PlanOptions['contexts'],
): Promise<Pick<FlagsPlan, 'steps' | 'effects' | 'evaluatedContexts'>> {
  if (changes.length === 0) return { steps: [], effects: [], evaluatedContexts: 0 }
  try {
    const body = { changes: changes.map(callOf), ...(contexts && { contexts }) }
    const { items, effects, evaluatedContexts } = await api.simulateChanges({ body })
    return { steps: stepsOf(changes, items), effects: effects.map(effectOf), evaluatedContexts }
  } catch (error) {
    throw namedConflict(error, changes)
  }
}

type Simulation = Awaited<ReturnType<BoundApi['simulateChanges']>>

function effectOf({ environmentKey, kind, key, evaluated, changed, contexts }: Simulation['effects'][number]) {
  const resource = `${kind === 'flag' ? 'flag' : 'AI config'} ${key}`
  return { resource, environmentKey, evaluated, changed, contexts }
}

function stepsOf(changes: readonly PlannedChange[], items: Simulation['items']): readonly PlanStep[] {
  const steps = new Map<string, { readonly sentences: string[]; needsApproval: boolean }>()
  for (const [index, { resource }] of changes.entries()) {
    const step = steps.get(resource) ?? { sentences: [], needsApproval: false }
    steps.set(resource, step)
    step.sentences.push(...(items[index]?.sentences ?? []))
    step.needsApproval ||= items[index]?.requiresApproval !== undefined
  }
  return [...steps].map(([resource, step]) => ({ resource, ...step }))
}
