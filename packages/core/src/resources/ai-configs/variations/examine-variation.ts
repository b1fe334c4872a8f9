import { type AIConfig, type AIConfigKeys, type AIConfigMode, aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigVariation, ToolUse } from '../../../models/ai-configs/ai-config-variation.ts'
import { aiModelConfigs } from '../../../models/ai-model-configs/ai-model-config.ts'
import { aiToolRevisions, aiTools } from '../../../models/ai-tools/ai-tool.ts'
import type { Fault } from '../../../operation/errors.ts'
import { lock } from '../../../storage/lock-document.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { VariationPatch } from './ai-config-variation-wire.ts'

/** Result of the validation of a variation's references. */
export interface ExaminedVariation {
  readonly faults: readonly Fault[]
  /** The tools with their parameters; undefined when the caller gives none. */
  readonly tools: readonly ToolUse[] | undefined
  /** Requires that the new references stay unchanged until the commit. To be called only when there are no errors. */
  hold(): void
}

/** The resources that a variation refers to. */
type References = Pick<AIConfigVariation, 'tools' | 'judges' | 'modelConfigKey'>

/**
 * Validates the body of a variation. Only new references are looked up, in one batch: the others are protected against
 * deletion.
 *
 * @param before references of the stored variation; {@link noReferences} for a new one.
 * @param pathPrefix prefix of the attributes in validation errors.
 */
export async function examineVariation(
  tx: Writer,
  keys: AIConfigKeys,
  mode: AIConfigMode,
  before: References,
  given: VariationPatch,
  at = '',
): Promise<ExaminedVariation> {
  const { projectKey } = keys
  const { tools: wanted = [], judgeConfiguration: { judges = [] } = {}, modelConfigKey } = given
  const toolPlaces = wanted.map(({ key }) => ({ projectKey, toolKey: key }))
  const model = { projectKey, modelConfigKey: modelConfigKey ?? '' }
  const otherModel = modelConfigKey !== undefined && modelConfigKey !== before.modelConfigKey
  const judgePlaces = judges.map(({ judgeConfigKey }) => ({ projectKey, configKey: judgeConfigKey }))
  const [tools, revisions, judging, modelConfig] = await Promise.all([
    tx.getMany(aiTools, toolPlaces),
    tx.getMany(
      aiToolRevisions,
      wanted.map(({ key, version }) => ({ projectKey, toolKey: key, revision: String(version) })),
    ),
    tx.getMany(aiConfigs, judgePlaces),
    otherModel ? tx.get(aiModelConfigs, model) : undefined,
  ])

  const faults: Fault[] = []
  const refuse = (attribute: string, reason: string) => faults.push({ attribute: `${at}${attribute}`, reason })
  if (given.instructions !== undefined && mode !== 'agent') {
    refuse('instructions', 'must be left out, except in a config of mode agent')
  }
  for (const [i, tool] of tools.entries()) {
    if (!tool) refuse(`tools.${i}.key`, 'must be the key of a tool of the project')
    else if (!revisions[i]) refuse(`tools.${i}.version`, 'must be a version of the tool')
  }
  for (const [i, judge] of judging.entries()) {
    const reason = judgeFault(keys, judge)
    if (reason) refuse(`judgeConfiguration.judges.${i}.judgeConfigKey`, reason)
  }
  if (otherModel && !modelConfig) refuse('modelConfigKey', 'must be the key of a model config of the project')
  if (modelConfig?.restricted) refuse('modelConfigKey', 'must not be the key of a restricted model config')

  return {
    faults,
    tools: given.tools?.map(({ key, version, customParameters }, i) => ({
      key,
      version,
      customParameters: customParameters ?? revisions[i]?.customParameters ?? {},
    })),
    hold() {
      for (const [i, tool] of tools.entries()) {
        const known = before.tools.some(({ key }) => key === tool?.key)
        if (tool && !known) lock(tx, aiTools, toolPlaces[i] as (typeof toolPlaces)[number], tool)
      }
      for (const [i, judge] of judging.entries()) {
        const known = before.judges.some(({ judgeConfigKey }) => judgeConfigKey === judge?.key)
        if (judge && !known) lock(tx, aiConfigs, judgePlaces[i] as (typeof judgePlaces)[number], judge)
      }
      if (modelConfig) lock(tx, aiModelConfigs, model, modelConfig)
    },
  }
}

function judgeFault({ configKey }: AIConfigKeys, judge: AIConfig | undefined): string | undefined {
  if (judge?.mode !== 'judge') return 'must be the key of a config of mode judge of the project'
  return judge.key === configKey ? 'must not be the key of the config itself' : undefined
}

/** References of a variation that does not exist yet. */
export const noReferences: References = { tools: [], judges: [] }
