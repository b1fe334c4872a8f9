import type { Audience, ChangeSelector } from '../operation/audience.ts'
import type { DryRun } from '../operation/dry-run.ts'
import { fail } from '../operation/errors.ts'
import type { AccountStorage, Sample } from '../storage/port.ts'
import { resourceOf } from './access/authority.ts'
import type { As } from './authenticate.ts'
import { callInProcess } from './call-in-process.ts'
import type { RequestPipeline } from './request-pipeline.ts'

/**
 * Creates the function that calls operations on storages other than the engine's own, for one caller.
 *
 * @param pipelineOn creates the pipeline over a storage, without the engine's caches.
 */
export function dryRun(pipelineOn: (storage: AccountStorage) => RequestPipeline, as: As | undefined): DryRun {
  return async (storage, id, input) => {
    const pipeline = pipelineOn(storage)
    const operation = pipeline.table.operations.find((candidate) => candidate.id === id)
    if (!operation)
      return fail('internal_error', { message: `${id}: the design of this engine does not include the operation` })
    const writing = await pipeline.writing()
    const recorded = recordingAudience(writing.audience)
    const recording = { ...writing, audience: recorded.audience }
    const response = await callInProcess({ ...pipeline, writing: () => recording }, operation, input, { as })
    const caller = await pipeline.authenticator.fromHost(as)
    const { authority } = pipeline.view
    return {
      response,
      format: pipeline.format,
      entry: recorded.entry,
      selects: recorded.selects,
      async allowed(action, collection, keys, document) {
        const decision = authority.decide(caller, action, resourceOf(caller, collection, keys, document))
        return (await decision).allowed
      },
    }
  }
}

/** Wraps an audience so that the change log entry of a notification is recorded. */
function recordingAudience(audience: Audience) {
  const recorded: { entry: Sample | undefined; selects: ChangeSelector } = {
    entry: undefined,
    selects: async () => false,
  }
  return Object.assign(recorded, {
    audience: ((reads) => {
      const notify = audience(reads)
      return (tx, entry, selects) => {
        Object.assign(recorded, { entry, selects })
        return notify(tx, entry, selects)
      }
    }) satisfies Audience,
  })
}
