import type { AIConfigKeys } from '../../../models/ai-configs/ai-config.ts'
import { type AIConfigVariation, aiConfigVariationRevisions } from '../../../models/ai-configs/ai-config-variation.ts'
import type { WriteContext } from '../../../operation/context.ts'
import { firstRevision } from '../../../storage/revisions.ts'
import type { VariationRequest } from './ai-config-variation-wire.ts'
import type { ExaminedVariation } from './examine-variation.ts'

/** Makes a new, published variation whose references have been validated, and writes its first revision. */
export function newVariation(
  context: Pick<WriteContext, 'tx' | 'useHost' | 'readClock'>,
  keys: AIConfigKeys,
  { judgeConfiguration, model = {}, ...given }: VariationRequest,
  examined: ExaminedVariation,
): Omit<AIConfigVariation, 'version'> {
  const { tx } = context
  const host = context.useHost()
  const now = context.readClock()
  examined.hold()
  const variation = {
    ...given,
    id: host.newId(),
    configKey: keys.configKey,
    model,
    tools: examined.tools ?? [],
    judges: judgeConfiguration?.judges ?? [],
    state: 'published',
    publishedAt: now,
  } as const
  return firstRevision(tx, aiConfigVariationRevisions, { ...keys, variationKey: given.key }, variation, now)
}
