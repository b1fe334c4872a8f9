import { type AIConfigKeys, aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import {
  type AIConfigVariation,
  aiConfigVariationRevisions,
  aiConfigVariations,
} from '../../../models/ai-configs/ai-config-variation.ts'
import type { UndoContext, UndoneUpdate } from '../../../operation/undo/undo-rules.ts'
import { nextRevision } from '../../../storage/revisions.ts'
import { checkVariation, noReferences } from './check-variation.ts'

type VariationKeys = AIConfigKeys & { readonly variationKey: string }

/** Writes an earlier state of a variation as a new version, by the rules for changes of variations. */
export async function undoVariation(
  context: UndoContext,
  { keys, current, wanted }: UndoneUpdate<AIConfigVariation, VariationKeys>,
): Promise<void> {
  const { tx, fail } = context
  const now = context.readClock()
  const config = (await tx.get(aiConfigs, keys)) ?? fail('not_found')
  await requireReferences(context, keys, current, wanted)
  tx.follow(aiConfigs, keys, config, { ...config, holds: config.holds + 1, updatedAt: now })
  const next = nextRevision(tx, aiConfigVariationRevisions, { keys, before: current, after: wanted }, now)
  tx.replace(aiConfigVariations, keys, current, next)
}

/**
 * Requires that the resources to which a deleted variation refers still exist. Its model config may have been
 * restricted in the meantime: a restriction does not affect variations that used the model config before.
 */
export async function prepareVariation(
  context: UndoContext,
  keys: VariationKeys,
  document: AIConfigVariation,
): Promise<AIConfigVariation> {
  await requireReferences(context, keys, { ...noReferences, modelConfigKey: document.modelConfigKey }, document)
  return document
}

async function requireReferences(
  { tx, fail }: UndoContext,
  keys: AIConfigKeys,
  before: Pick<AIConfigVariation, 'tools' | 'judges' | 'modelConfigKey'>,
  { tools, skills, judges, modelConfigKey, messages }: AIConfigVariation,
): Promise<void> {
  const config = await tx.get(aiConfigs, keys)
  const check = await checkVariation(tx, { keys, mode: config?.mode ?? 'completion' }, before, {
    tools: tools.map(({ key, version }) => ({ key, version })),
    judgeConfiguration: { judges: [...judges] },
    ...(skills && { skills }),
    ...(messages && { messages }),
    ...(modelConfigKey === undefined ? {} : { modelConfigKey }),
  })
  if (check.errors.length > 0) fail('invalid_request', { errors: check.errors })
  check.requireUnchanged()
}
