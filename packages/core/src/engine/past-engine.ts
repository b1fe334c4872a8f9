import type { Callable, PastEngine } from '../engine-interface.ts'
import type { EngineRequest, EngineResponse } from '../operation/engine-request.ts'
import type { Operation } from '../operation/operation.ts'
import { asFailure, encodeFailure } from '../pipeline/encode.ts'
import { handleRequest, receive, routeByHeader } from '../pipeline/handle-request.ts'
import type { RequestPipeline } from '../pipeline/request-pipeline.ts'
import type { MomentInput } from '../resources/past/moment.ts'
import type { PastState } from '../resources/past/past-storages.ts'
import { noBackUps } from './absent-parts.ts'
import type { EngineParts } from './engine-parts.ts'
import { evaluationOn } from './evaluation-on-storage.ts'
import { pipelineOn } from './pipeline-on-storage.ts'

/** Header that names the moment of a request. */
const headerName = 'Halyard-At'

/** Makes the functions of an engine that read past states. */
export function pastEngineOf<O extends Operation>(
  parts: EngineParts<O>,
  callable: (
    pipeline: RequestPipeline,
    respond: (request: EngineRequest) => Promise<EngineResponse>,
  ) => Omit<Callable<O>, 'simulate'>,
) {
  const { design, options, past: states, pipeline } = parts
  return {
    at(moment: MomentInput): PastEngine<O> {
      const state = states.at(moment, 'time')
      const past = pipelineAt(pipeline, state)
      return {
        time: state.time,
        ...callable(past, (request) => handleRequest(past, receive(past, request))),
        ...evaluationOn(design, past.accountStorage, past.options).functions,
        export: (input) => (design.backUps ?? noBackUps).export(state.storage, input),
      }
    },
    /**
     * Returns a function that handles requests with the header `Halyard-At` in the state of that moment, and other
     * requests with `respond`.
     */
    respondAt(respond: (request: EngineRequest) => Promise<EngineResponse>) {
      if (!design.pastStorages) return respond
      const respondThen = async (text: string, request: EngineRequest) => {
        const received = receive(pipeline, request)
        try {
          const past = pipelineAt(pipeline, states.at(text, headerName))
          return await handleRequest(past, receive(past, request))
        } catch (error) {
          return encodeFailure(asFailure(error, options.host, undefined, received.requestId), received.headers)
        }
      }
      return routeByHeader(headerName.toLowerCase(), respondThen, respond)
    },
  }
}

/**
 * Returns the pipeline over a storage of the past, with the clock at the past moment. Callers have the rights that they
 * have now.
 */
function pipelineAt(pipeline: RequestPipeline, { time, storage }: PastState): RequestPipeline {
  const { options } = pipeline
  const optionsThen = { ...options, host: { ...options.host, now: () => time } }
  return {
    ...pipelineOn(pipeline, storage, optionsThen),
    options: optionsThen,
    // Callers have their current rights: a member who has lost a right, or a token that was revoked, must not regain
    // access.
    authenticator: pipeline.authenticator,
    writing: () => storage.commit([]) as Promise<never>,
  }
}
