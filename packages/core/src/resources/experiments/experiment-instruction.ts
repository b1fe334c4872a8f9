import * as v from 'valibot'
import { name, text } from '../../operation/schema.ts'
import { iterationRequest } from './iteration-request.ts'

function instruction<const Kind extends string, const Entries extends v.ObjectEntries>(kind: Kind, entries: Entries) {
  return v.strictObject({ kind: v.literal(kind), ...entries })
}

/**
 * Schema of an instruction of a semantic patch of an experiment
 * (docs/decisions/0001-follow-one-set-of-http-conventions.md#d12-semantic-patch, reference API: patchExperiment).
 */
export const experimentInstruction = v.variant('kind', [
  instruction('updateName', { value: name() }),
  instruction('updateDescription', { value: text() }),
  instruction('updateExperimentFields', {
    name: v.optional(name()),
    description: v.optional(text()),
    maintainerId: v.optional(v.string()),
    holdoutId: v.optional(v.string()),
  }),
  instruction('saveAndStartNewIteration', { iteration: iterationRequest, changeJustification: v.optional(text()) }),
  instruction('startIteration', { changeJustification: v.optional(text()) }),
  instruction('stopIteration', { winningTreatmentId: v.optional(v.string()), winningReason: v.optional(text()) }),
  instruction('archiveExperiment', {}),
  instruction('restoreExperiment', {}),
])

export type ExperimentInstruction = v.InferOutput<typeof experimentInstruction>

/** Kinds of instructions that change what a flag serves. A patch contains at most one of them. */
export const servingKinds: readonly string[] = ['saveAndStartNewIteration', 'startIteration', 'stopIteration']
