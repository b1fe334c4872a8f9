import type { Host } from '../../../operation/context.ts'
import { ApiError, fail, type ValidationError } from '../../../operation/errors.ts'
import { type Attempt, nextStep } from './attempt.ts'
import { commitCandidate } from './commit-candidate.ts'
import { loadSettings } from './load-settings.ts'
import { addCosts, type ModelProvider, noCosts, type RunCosts, RunFailure } from './model-call.ts'
import { type Limits, ModelCaller } from './model-caller.ts'
import type { OptimizerApi, ResultChange, StoredResult } from './optimizer-api.ts'
import { performStep } from './perform-step.ts'
import type { Candidate, RunSettings } from './run-settings.ts'
import { activityOf, attemptOf, changeOf } from './stored-attempt.ts'

/** Input of a run of an agent optimization. */
export interface OptimizationRunInput {
  readonly projectKey: string
  readonly optimizationKey: string
  /**
   * Id of the run, a UUID in lower case. A run that was interrupted continues when it is started again with its id.
   * Default: a new id. The id also determines which user inputs and variables are chosen.
   */
  readonly runId?: string
  /** Calls a language model. */
  readonly model: ModelProvider
  /** Limits of the whole run, including what it spent before an interruption. Default: no limits. */
  readonly limits?: Limits
  /** Interrupts the run before its next model call. */
  readonly signal?: AbortSignal
}

/** Result of a run. */
export interface OptimizationOutcome {
  readonly runId: string
  readonly status: 'PASSED' | 'FAILED' | 'ERRORED'
  /** Reason of the status, for people; absent when the run passed. */
  readonly reason?: string
  /** Number of attempts. */
  readonly attempts: number
  /** Instructions and model of the last attempt. */
  readonly instructions: string
  readonly model: string
  /** Key of the variation that was created from the passing instructions. */
  readonly createdVariationKey?: string
  /** Costs of all model calls of the run. */
  readonly spent: RunCosts
  /** The error that the model provider threw, if it did. It is not stored. */
  readonly error?: unknown
}

interface Run {
  readonly api: OptimizerApi
  readonly host: Host
  readonly settings: RunSettings
  readonly caller: ModelCaller
}

/**
 * Runs an agent optimization, or continues a run that was interrupted: generates a response with the current
 * instructions, lets the judges score it, and requests better instructions. It repeats these steps until a response
 * reaches all thresholds, for the other user inputs too. Each step is stored in the results of the run before the next
 * one begins (docs/decisions/0055-run-agent-optimizations-from-their-results.md).
 *
 * @throws ApiError `not_found` and `invalid_request` when the optimization cannot run, `forbidden` without the rights
 *   to write results; the reason of the signal when it is aborted.
 */
export async function runOptimization(
  api: OptimizerApi,
  host: Host,
  { projectKey, optimizationKey, runId = host.newId(), model, limits = {}, signal }: OptimizationRunInput,
): Promise<OptimizationOutcome> {
  const invalid = inputErrors(model, limits)
  if (invalid.length > 0) fail('invalid_request', { errors: invalid })
  const settings = await loadSettings(api, { projectKey, optimizationKey, runId })
  const stored = await storedResults(api, settings)
  const spent = stored.map((result) => costsOf(attemptOf(result))).reduce(addCosts, noCosts)
  const tokens = Math.min(limits.tokens ?? Number.POSITIVE_INFINITY, settings.tokenLimit ?? Number.POSITIVE_INFINITY)
  const effectiveLimits = Number.isFinite(tokens) ? { ...limits, tokens } : limits
  const run: Run = {
    api,
    host,
    settings,
    caller: new ModelCaller(spent, { model, limits: effectiveLimits, signal }, host),
  }
  let result = stored[0] ?? (await begin(run, 1, settings.firstCandidate))
  for (;;) {
    const ended = result.status === 'RUNNING' ? await runAttempt(run, result) : { result }
    const { variation, iteration } = attemptOf(ended.result)
    if (ended.result.status !== 'FAILED' || ended.result.reason !== undefined || !variation)
      return outcomeOf(run, ended)
    result = await begin(run, iteration + 1, variation)
  }
}

/** Callers that do not use TypeScript may pass any value. */
function inputErrors(model: unknown, limits: Limits): readonly ValidationError[] {
  const errors: ValidationError[] = []
  if (typeof model !== 'function') errors.push({ attribute: 'model', reason: 'must be a function' })
  for (const name of ['tokens', 'cost', 'ms'] as const) {
    const limit: unknown = limits[name]
    if (limit === undefined || (typeof limit === 'number' && limit > 0)) continue
    errors.push({ attribute: `limits.${name}`, reason: 'must be a number greater than 0' })
  }
  return errors
}

/** Returns the results of the run, newest iteration first; an empty list for a new run. */
async function storedResults(api: OptimizerApi, settings: RunSettings): Promise<readonly StoredResult[]> {
  const results: StoredResult[] = []
  for (;;) {
    const query = { ...keysOf(settings), runId: settings.runId, limit: 100, offset: results.length }
    const page = await api.listAgentOptimizationResultsByRunId(query).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'not_found') return { items: [], totalCount: 0 }
      throw error
    })
    results.push(...page.items)
    if (page.items.length === 0 || results.length >= page.totalCount) break
  }
  const changed = results.find(({ agentOptimizationVersion }) => agentOptimizationVersion !== settings.version)
  if (changed) refuseChanged(settings, changed)
  return results.sort((a, b) => b.iteration - a.iteration)
}

function refuseChanged({ version }: RunSettings, { agentOptimizationVersion }: StoredResult): never {
  const reason = `must be the id of a run of version ${version}: this one began with version ${agentOptimizationVersion}`
  return fail('invalid_request', { errors: [{ attribute: 'runId', reason }] })
}

const keysOf = ({ projectKey, optimizationKey }: RunSettings) => ({ projectKey, optimizationKey })

/** Stores a new attempt. */
async function begin(run: Run, iteration: number, { instructions, model }: Candidate): Promise<StoredResult> {
  const { api, settings } = run
  const [input, variables] = await Promise.all([
    choose(run, settings.inputs, `${iteration} input`),
    choose(run, settings.variableChoices, `${iteration} variables`),
  ])
  return api.createAgentOptimizationResult({
    ...keysOf(settings),
    body: {
      runId: settings.runId,
      agentOptimizationVersion: settings.version,
      iteration,
      instructions,
      userInput: input.text,
      parameters: { model, variables },
    },
  })
}

/** Chooses an item by the id of the run, so that an interrupted run chooses the same item again. */
async function choose<T>({ host, settings }: Run, items: readonly T[], purpose: string): Promise<T> {
  const hash = await host.sha256(`${settings.runId} ${purpose}`)
  // Cast: the lists of settings are not empty.
  return items[Number.parseInt(hash.slice(0, 8), 16) % items.length] as T
}

interface EndedAttempt {
  readonly result: StoredResult
  readonly error?: unknown
}

/** Performs the remaining steps of an attempt. */
async function runAttempt(run: Run, result: StoredResult): Promise<EndedAttempt> {
  const { settings } = run
  let attempt = attemptOf(result)
  let { activity } = result
  try {
    for (;;) {
      const step = nextStep(attempt, settings)
      if (step.do === 'pass') return { result: await pass(run, attempt) }
      if (step.do === 'fail') return { result: await end(run, attempt, { status: 'FAILED', reason: step.reason }) }
      if (activityOf(step) !== activity) {
        activity = activityOf(step)
        await store(run, attempt, { activity })
      }
      const performed = await performStep(run, attempt, step)
      attempt = performed.attempt
      if (performed.failure) throw performed.failure
      await store(run, attempt, changeOf(attempt))
    }
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error
    const { status, message: reason, cause } = error
    return { result: await end(run, attempt, { ...changeOf(attempt), status, reason }), error: cause }
  }
}

/**
 * Ends an attempt that reached all thresholds, and creates a variation of the AI config if the optimization is
 * configured to do so.
 */
async function pass(run: Run, attempt: Attempt): Promise<StoredResult> {
  if (!run.settings.autoCommit) return end(run, attempt, { status: 'PASSED' })
  return end(run, attempt, { status: 'PASSED', ...(await commitCandidate(run.api, run.settings, attempt.candidate)) })
}

function end(run: Run, attempt: Attempt, { reason, ...change }: ResultChange): Promise<StoredResult> {
  return store(run, attempt, { ...change, activity: 'COMPLETED', ...(reason === undefined ? {} : { reason }) })
}

function store({ api, settings }: Run, { resultId }: Attempt, change: ResultChange): Promise<StoredResult> {
  return api.patchAgentOptimizationResult({ ...keysOf(settings), resultId, body: change })
}

function costsOf({ generationCosts = noCosts, evaluationCosts, variation }: Attempt): RunCosts {
  return [evaluationCosts, variation?.costs ?? noCosts].reduce(addCosts, generationCosts)
}

function outcomeOf({ settings, caller }: Run, { result, error }: EndedAttempt): OptimizationOutcome {
  const { status, reason, iteration, instructions, createdVariationKey } = result
  return {
    runId: settings.runId,
    status: status === 'RUNNING' ? 'ERRORED' : status,
    ...(reason === undefined ? {} : { reason }),
    attempts: iteration,
    instructions,
    model: attemptOf(result).candidate.model,
    ...(createdVariationKey === undefined ? {} : { createdVariationKey }),
    spent: caller.spent,
    ...(error === undefined ? {} : { error }),
  }
}
