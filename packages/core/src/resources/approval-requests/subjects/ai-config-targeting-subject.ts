import * as v from 'valibot'
import { aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigTargeting } from '../../../models/ai-configs/ai-config-targeting.ts'
import type { ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import { environments } from '../../../models/environments/environment.ts'
import { list } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { applyInstructions } from '../../ai-configs/targeting/apply-instructions.ts'
import { saveTargeting } from '../../ai-configs/targeting/save-targeting.ts'
import { type AIConfigInstruction, aiConfigInstruction } from '../../ai-configs/targeting/targeting-instructions.ts'
import { loadTargeting } from '../../ai-configs/targeting/targeting-state.ts'
import { changedTargetingProperties } from './changed-properties.ts'
import { isReference, readReferences, referencesIn } from './references.ts'
import type { Subject } from './subject.ts'

export const targetingInstructions = v.object({ instructions: list(aiConfigInstruction) })

/** Loads the targeting of an AI config in an environment as the subject of requests. */
export async function loadTargetingSubject(tx: Reader, resourceRef: ResourceRef): Promise<Subject | undefined> {
  const { projectKey, environmentKey = '', resourceKey: configKey } = resourceRef
  const keys = { projectKey, environmentKey, configKey }
  const state = await loadTargeting(tx, keys)
  const environment = state?.environments.find(({ key }) => key === environmentKey)
  const targeting = state?.targetings.get(environmentKey)
  if (!state || !environment || !targeting) return undefined
  const properties = { ...targeting, defaults: state.config.defaults }
  return {
    partsOf: (instruction) => [
      ...changedTargetingProperties[instruction.kind as AIConfigInstruction['kind']],
      ...referencesIn(instruction, targeting.rules),
    ],
    valueOf: async (reader, part, writer) =>
      isReference(part)
        ? readReferences(reader, { resourceRef, reference: part }, writer)
        : properties[part as keyof AIConfigTargeting | 'defaults'],
    async apply(context, parsedInstructions, { comment }) {
      const instructions = parsedInstructions as readonly AIConfigInstruction[]
      const patch = { format: 'semantic', instructions, environmentKey, comment } as const
      await saveTargeting(context, { keys, before: state }, applyInstructions(context.useHost(), state, patch))
    },
    requireUnchanged(writer) {
      writer.expect(environments, keys, environment)
      writer.expect(aiConfigs, keys, state.config)
    },
  }
}
