import * as v from 'valibot'
import type { ApprovalPlace } from '../../../models/approval-requests/approval-request.ts'
import { settingsFor } from '../../../models/environments/approval-settings.ts'
import { environments } from '../../../models/environments/environment.ts'
import { flags } from '../../../models/flags/flag.ts'
import { defaultConfig, flagConfigs } from '../../../models/flags/flag-config.ts'
import { list } from '../../../operation/schema.ts'
import type { Reader } from '../../../storage/reader.ts'
import { instructedFlag } from '../../flags/changes/instructed-flag.ts'
import { saveFlag } from '../../flags/changes/save-flag.ts'
import { type FlagState, loadFlag } from '../../flags/flag-state.ts'
import { cardOf, type FlagInstruction, flagInstruction } from '../../flags/instructions/flag-instruction.ts'
import { flagMembers } from './changed-members.ts'
import { isReference, referenced, referencesIn } from './references.ts'
import type { Subject } from './subject.ts'

export const flagInstructions = v.object({ instructions: list(flagInstruction) })

/** Loads a flag in an environment as the subject of requests. */
export async function loadFlagSubject(tx: Reader, place: ApprovalPlace): Promise<Subject | undefined> {
  const { projectKey, environmentKey, resourceKey: flagKey } = place
  const keys = { projectKey, environmentKey, flagKey }
  const [flag, environment, stored] = await Promise.all([
    tx.get(flags, keys),
    tx.get(environments, keys),
    tx.get(flagConfigs, keys),
  ])
  if (!flag || !environment) return undefined
  const config = stored ?? defaultConfig(flag, environment)
  const members = { ...flag, ...config }
  const here: FlagState = { flag, environments: [environment], configs: new Map([[environmentKey, config]]) }
  return {
    environment,
    settings: settingsFor(environment, 'flag'),
    flag,
    partsOf: (instruction) => [
      ...flagMembers[instruction.kind as FlagInstruction['kind']],
      ...referencesIn(instruction, config.rules),
    ],
    valueOf: async (reader, part, hold) =>
      isReference(part) ? referenced(reader, place, part, hold) : members[part as keyof typeof members],
    async follow(context, given, { comment, thorough, approved = true }) {
      const instructions = given as readonly FlagInstruction[]
      const flagWide = instructions.some(({ kind }) => !cardOf(kind).inEnvironment)
      const before = flagWide && thorough ? ((await loadFlag(context.tx, keys, context)) ?? here) : here
      const patch = { format: 'semantic', instructions, environmentKey, comment } as const
      const change = await instructedFlag(context, keys, before, patch)
      await saveFlag(context, keys, before, change, approved ? { approvedIn: environmentKey } : {})
    },
    hold(writer) {
      writer.expect(environments, keys, environment)
      writer.expect(flags, keys, flag)
    },
  }
}
