import * as v from 'valibot'
import { type AIConfig, type AIConfigKeys, aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import { type AIConfigVariation, aiConfigVariations } from '../../../models/ai-configs/ai-config-variation.ts'
import type { ResourceRef } from '../../../models/approval-requests/approval-request.ts'
import { ApiError, fail } from '../../../operation/errors.ts'
import { key, list } from '../../../operation/schema.ts'
import type { Replacement, Versioned } from '../../../storage/collection.ts'
import type { Reader } from '../../../storage/reader.ts'
import { aiConfigPatch } from '../../ai-configs/ai-config-schema.ts'
import { changedConfig } from '../../ai-configs/changed-config.ts'
import { variationPatch } from '../../ai-configs/variations/ai-config-variation-schema.ts'
import { changedVariation } from '../../ai-configs/variations/changed-variation.ts'
import type { ApplyContext, Subject } from './subject.ts'

/** Each instruction has the name of an operation, and the properties of the body of this operation. */
const contentsInstruction = v.variant('kind', [
  v.strictObject({ kind: v.literal('updateAIConfig'), ...aiConfigPatch.entries }),
  v.strictObject({ kind: v.literal('updateAIConfigVariation'), variationKey: key(), ...variationPatch.entries }),
])

type ContentsInstruction = v.InferOutput<typeof contentsInstruction>

/** Returns a text that identifies the document that an instruction changes. */
const targetOf = (instruction: ContentsInstruction): string =>
  instruction.kind === 'updateAIConfig' ? 'config' : `variation ${instruction.variationKey}`

/**
 * Each instruction is applied to the stored documents, not to the result of the instruction before it, so no two
 * instructions may change the same document.
 */
export const contentsInstructions = v.object({
  instructions: v.pipe(
    list(contentsInstruction),
    v.check(
      (instructions) => new Set(instructions.map(targetOf)).size === instructions.length,
      'must contain at most 1 instruction for the config and 1 for each variation',
    ),
  ),
})

/** Loads an AI config with its variations, which all environments share, as the subject of requests. */
export async function loadContentsSubject(tx: Reader, resourceRef: ResourceRef): Promise<Subject | undefined> {
  const { projectKey, resourceKey: configKey } = resourceRef
  const keys = { projectKey, configKey }
  const config = await tx.get(aiConfigs, keys)
  if (!config) return undefined
  const stored = await tx.getMany(
    aiConfigVariations,
    config.variations.map((variation) => ({ ...keys, variationKey: variation.key })),
  )
  const variations = new Map(stored.flatMap((variation) => (variation ? [[variation.key, variation] as const] : [])))
  const parts = new Map<string, unknown>([
    ...Object.entries(config),
    ...[...variations].map(([name, variation]) => [`variation ${name}`, contentsOf(variation)] as const),
  ])
  return {
    partsOf: (instruction) => partsOf(instruction as ContentsInstruction),
    valueOf: async (_, part) => parts.get(part),
    async apply(context, parsedInstructions) {
      const instructions = parsedInstructions as readonly ContentsInstruction[]
      let after = config
      for (const [index, instruction] of instructions.entries()) {
        await at(index, async () => {
          if (instruction.kind === 'updateAIConfig') {
            const { kind: _, ...body } = instruction
            after = { ...(await changedConfig(context, config, body)), holds: after.holds }
          } else if (await applyToVariation(context, { keys, config, variations }, instruction)) {
            after = { ...after, holds: config.holds + 1 }
          }
        })
      }
      writeConfig(context, { keys, before: config, after })
    },
    requireUnchanged(writer) {
      writer.expect(aiConfigs, keys, config)
    },
  }
}

/** Properties that are changed together. */
const changedTogether: readonly (readonly string[])[] = [
  ['maintainerId', 'maintainerTeamKey'],
  ['evaluationMetricKey', 'evaluationMetricKeys'],
]

function partsOf(instruction: ContentsInstruction): readonly string[] {
  if (instruction.kind === 'updateAIConfigVariation') return [targetOf(instruction)]
  const { kind: _, ...body } = instruction
  const properties = Object.keys(body)
  return properties.flatMap((property) => changedTogether.find((names) => names.includes(property)) ?? [property])
}

/** An AI config with its variations. */
interface ConfigContents {
  readonly keys: AIConfigKeys
  readonly config: AIConfig
  readonly variations: ReadonlyMap<string, AIConfigVariation>
}

/** Writes a variation. Returns false when the instruction changes nothing. */
async function applyToVariation(
  context: ApplyContext,
  { keys, config, variations }: ConfigContents,
  { kind: _, variationKey, ...body }: Extract<ContentsInstruction, { kind: 'updateAIConfigVariation' }>,
): Promise<boolean> {
  const unknown = { attribute: 'variationKey', reason: 'must be the key of a variation of the AI config' }
  const before = variations.get(variationKey) ?? fail('invalid_request', { errors: [unknown] })
  const variationKeys = { ...keys, variationKey }
  const after = await changedVariation(context, { keys: variationKeys, mode: config.mode }, before, body)
  if (after === before) return false
  context.tx.replace(aiConfigVariations, variationKeys, before, after)
  return true
}

/** Writes the config, whose version also counts the changes of its variations. */
function writeConfig(context: ApplyContext, { keys, before, after }: Replacement<AIConfig, AIConfigKeys>): void {
  const now = context.readClock()
  const dated = after.holds === before.holds ? after : { ...after, updatedAt: now }
  context.tx.replace(aiConfigs, keys, before, dated)
}

/** Returns the part of a variation that reviewers see: all properties except the counts and times of its revisions. */
function contentsOf({
  version: _,
  revision: __,
  publishedAt: ___,
  archivedAt: ____,
  ...contents
}: AIConfigVariation): Omit<AIConfigVariation, keyof Versioned | 'revision' | 'publishedAt' | 'archivedAt'> {
  return contents
}

/** Runs a function and prefixes the attributes of its validation errors with the index of the instruction. */
async function at(index: number, perform: () => Promise<void>): Promise<void> {
  try {
    await perform()
  } catch (error) {
    if (!(error instanceof ApiError) || !error.errors) throw error
    const errors = error.errors.map(({ attribute, reason }) => ({
      attribute: `instructions.${index}.${attribute}`,
      reason,
    }))
    fail('invalid_request', { errors })
  }
}
