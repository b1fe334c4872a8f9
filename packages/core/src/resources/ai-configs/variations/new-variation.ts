import type { AIConfigKeys } from '../../../models/ai-configs/ai-config.ts'
import { type AIConfigVariation, aiConfigVariationRevisions } from '../../../models/ai-configs/ai-config-variation.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { firstRevision } from '../../../storage/revisions.ts'
import type { VariationRequest } from './ai-config-variation-schema.ts'
import type { VariationCheck } from './check-variation.ts'

/** A request for a variation, and the result of its check. */
export interface CheckedVariation {
  readonly request: VariationRequest
  readonly check: VariationCheck
}

/** Makes a new, published variation whose references have been validated, and writes its first revision. */
export function newVariation(
  context: Pick<WriteContext, 'tx' | 'useHost' | 'readClock'>,
  keys: AIConfigKeys,
  { request: { judgeConfiguration, model = {}, toolKeys: _, ...settings }, check }: CheckedVariation,
): Omit<AIConfigVariation, 'version'> {
  const { tx } = context
  const host = context.useHost()
  const now = context.readClock()
  check.requireUnchanged()
  const variation = {
    ...settings,
    id: host.newId(),
    configKey: keys.configKey,
    model,
    tools: check.tools ?? [],
    judges: judgeConfiguration?.judges ?? [],
    state: 'published',
    publishedAt: now,
  } as const
  return firstRevision(
    tx,
    { revisions: aiConfigVariationRevisions, keys: { ...keys, variationKey: settings.key } },
    variation,
    now,
  )
}
