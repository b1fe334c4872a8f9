import * as v from 'valibot'
import type { ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { defaultConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { list } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { applyFlagInstructions } from '../../flags/changes/apply-flag-instructions.ts'
import { saveFlag } from '../../flags/changes/save-flag.ts'
import { type FlagState, loadFlag } from '../../flags/flag-state.ts'
import { definitionOf, type FlagInstruction, flagInstruction } from '../../flags/instructions/flag-instruction.ts'
import { changedFlagProperties } from './changed-properties.ts'
import { isReference, readReferences, referencesIn } from './references.ts'
import type { Subject } from './subject.ts'

export const flagInstructions = v.object({ instructions: list(flagInstruction) })

/** Loads a flag in an environment as the subject of requests. */
export async function loadFlagSubject(tx: Reader, resourceRef: ResourceRef): Promise<Subject | undefined> {
  const { projectKey, environmentKey = '', resourceKey: flagKey } = resourceRef
  const keys = { projectKey, environmentKey, flagKey }
  const [flag, environment, storedConfig] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagConfigs, keys),
  ])
  if (!flag || !environment) return undefined
  const config = storedConfig ?? defaultConfig(flag, environment)
  const properties = { ...flag, ...config }
  const localState: FlagState = { flag, environments: [environment], configs: new Map([[environmentKey, config]]) }
  return {
    flag,
    partsOf: (instruction) => [
      ...changedFlagProperties[instruction.kind as FlagInstruction['kind']],
      ...referencesIn(instruction, config.rules),
    ],
    valueOf: async (reader, part, writer) =>
      isReference(part)
        ? readReferences(reader, { resourceRef, reference: part }, writer)
        : properties[part as keyof typeof properties],
    async apply(context, parsedInstructions, { comment, fullCheck }) {
      const instructions = parsedInstructions as readonly FlagInstruction[]
      const flagWide = instructions.some(({ kind }) => !definitionOf(kind).inEnvironment)
      const before = flagWide && fullCheck ? ((await loadFlag(context.tx, keys, context)) ?? localState) : localState
      const patch = { format: 'semantic', instructions, environmentKey, comment } as const
      const change = await applyFlagInstructions(context, { keys, before }, patch)
      await saveFlag(context, { keys, before }, change)
    },
    requireUnchanged(writer) {
      writer.expect(environments, keys, environment)
      writer.expect(flags, keys, flag)
    },
  }
}
