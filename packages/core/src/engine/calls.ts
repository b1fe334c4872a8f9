import type { ApiOf, BoundApiOf } from '../engine-api.ts'
import type { Callable, Engine, TransactionEngine } from '../engine-interface.ts'
import type { EngineOptions } from '../operation/engine-options.ts'
import type { EngineRequest, EngineResponse } from '../operation/engine-request.ts'
import type { Operation } from '../operation/operation.ts'
import { explainAccess } from '../pipeline/access/explain-access.ts'
import type { As } from '../pipeline/authenticate.ts'
import { cachedResponses } from '../pipeline/caching/cached-responses.ts'
import { type CallInputObject, type CallOptions, callInProcess } from '../pipeline/call-in-process.ts'
import { handleRequest, receive } from '../pipeline/handle-request.ts'
import { loadDefinitions, operationOf } from '../pipeline/match.ts'
import type { RequestPipeline } from '../pipeline/request-pipeline.ts'
import type { Simulation } from '../resources/simulation/simulation.ts'
import type { AccountStorage, Storage } from '../storage/port.ts'
import type { EngineParts } from './engine-parts.ts'
import { evaluationOn } from './evaluation-on-storage.ts'
import { pastEngineOf } from './past-engine.ts'
import { pipelineOn } from './pipeline-on-storage.ts'

/** Returns the functions that call operations: over transports, in process, and in transactions of the host. */
export function calls<O extends Operation>(parts: EngineParts<O>) {
  const { options, storage, caches, pipeline } = parts
  const simulate = simulateOn(parts)
  const { at, respondAt } = pastEngineOf(parts, callable<O>)
  const respond = respondAt(cachedResponses(handleRequest, pipeline, caches))
  const ownCalls = callable<O>(pipeline, respond)
  return {
    ...ownCalls,
    at,
    operations: pipeline.table.operations,
    definitions: () => loadDefinitions(pipeline.table),
    with({ transaction }: { readonly transaction: unknown }): TransactionEngine<O> {
      const inner = storageWithin(options.storage, transaction).account(options.handlers.account)
      const { functions, reload } = evaluationOn(parts.design, inner, options)
      const uncached = { ...pipelineOn(pipeline, inner), commitMode: 'transaction' as const, settled: reload }
      const respondUncached = (request: EngineRequest) => handleRequest(uncached, receive(uncached, request))
      return { ...callable<O>(uncached, respondUncached), ...functions, simulate: simulate(inner) }
    },
    simulate: simulate(storage),
    runOptimization: (async (input, { as }) => {
      if (!parts.design.optimizer) throw new Error('optimizer: this engine was made without an optimizer')
      return parts.design.optimizer({ api: ownCalls.as(as), host: options.host }, input)
    }) satisfies Engine['runOptimization'],
  }
}

function callable<O extends Operation>(
  pipeline: RequestPipeline,
  respond: (request: EngineRequest) => Promise<EngineResponse>,
): Omit<Callable<O>, 'simulate'> {
  const { intercept } = pipeline.options
  const { table } = pipeline
  const callOf = (operation: Operation): UntypedCall => {
    const call: UntypedCall = (input = {}, options = {}) =>
      callInProcess(pipeline, operation, input as CallInputObject, options)
    return intercept ? (...input) => intercept({ operation, request: undefined }, () => call(...input)) : call
  }
  const api = lazyApi(table.byId, callOf) as ApiOf<O>
  return {
    api,
    as: (caller) => boundApi(api, caller),
    handle: intercept
      ? (request) => intercept({ operation: operationOf(table, request), request }, () => respond(request))
      : respond,
    explain: (query) => explainAccess(pipeline, query),
  }
}

/**
 * Returns functions that call operations. Each function is made when it is first used. With an engine for each of many
 * tenants, an engine uses only a few of them, and all functions together would take more memory than the rest of the
 * engine.
 */
function lazyApi(
  operations: Readonly<Record<string, Operation>>,
  callOf: (operation: Operation) => UntypedCall,
): object {
  const calls = new Map<string | symbol, UntypedCall>()
  return new Proxy(operations, {
    get(target, id) {
      const cachedCall = calls.get(id)
      if (cachedCall || !Object.hasOwn(target, id)) return cachedCall
      const call = callOf(target[id as string] as Operation)
      calls.set(id, call)
      return call
    },
    // The table of operations is shared by all engines, so it cannot be changed.
    set: () => false,
    defineProperty: () => false,
    deleteProperty: () => false,
  })
}

/**
 * Returns the operations of `api` for one caller. A proxy makes only the functions that are used: `engine.as` is often
 * called for a single operation.
 */
function boundApi<O extends Operation>(api: ApiOf<O>, as: As): BoundApiOf<O> {
  return new Proxy(api, {
    get(calls, id) {
      const call = calls[id as keyof typeof calls] as UntypedCall | undefined
      return call && ((input: object = {}, options?: object) => call(input, { ...options, as }))
    },
    // Cast: the proxy adds `as` to the options of each call.
  }) as unknown as BoundApiOf<O>
}

type UntypedCall = (input?: object, options?: Partial<CallOptions>) => Promise<unknown>

function simulateOn<O extends Operation>({ design, options, pipeline }: EngineParts<O>) {
  return (storage: AccountStorage) =>
    async (change: unknown, { as }: Partial<CallOptions> = {}): Promise<Simulation<never>> => {
      if (!design.simulator) throw new Error('simulator: this engine was made without a simulator')
      const engine = {
        options,
        storage,
        served: design.aiEvaluation?.content,
        pipelineOn: (inner: AccountStorage, overrides: EngineOptions) => pipelineOn(pipeline, inner, overrides),
      }
      return (await design.simulator(engine, change, as)) as Simulation<never>
    }
}

function storageWithin(storage: Storage, transaction: unknown): Storage {
  const within = storage.within?.(transaction)
  if (!within)
    throw new TypeError(
      `transaction: must not be present, because the ${storage.name} storage does not support transactions of the host`,
    )
  return within
}
