import { type AIConfig, type AIConfigKeys, type AIConfigMode, aiConfigs } from '../../../models/ai-configs/ai-config.ts'
import type { AIConfigVariation, ToolUse } from '../../../models/ai-configs/ai-config-variation.ts'
import { aiModelConfigs } from '../../../models/ai-model-configs/ai-model-config.ts'
import { aiToolRevisions, aiTools } from '../../../models/ai-tools/ai-tool.ts'
import type { ValidationError } from '../../../operation/errors.ts'
import { lock } from '../../../storage/lock-document.ts'
import type { Writer } from '../../../storage/writer.ts'
import type { VariationPatch } from './ai-config-variation-schema.ts'
import { checkTexts } from './check-texts.ts'

/** Result of the validation of a variation's references. */
export interface VariationCheck {
  readonly errors: readonly ValidationError[]
  /** The tools with their parameters; undefined when the request contains no tools. */
  readonly tools: readonly ToolUse[] | undefined
  /** Requires that the new references stay unchanged until the commit. To be called only when there are no errors. */
  requireUnchanged(): void
}

/** The AI config that a variation belongs to. */
export interface VariedConfig<K extends AIConfigKeys = AIConfigKeys> {
  readonly keys: K
  readonly mode: AIConfigMode
}

/** The resources that a variation refers to. */
type References = Pick<AIConfigVariation, 'tools' | 'skills' | 'judges' | 'modelConfigKey'>

/**
 * Validates the body of a variation. Only new references are looked up, in one batch, because the targets of existing
 * references cannot be deleted.
 *
 * @param before references of the stored variation; {@link noReferences} for a new variation.
 */
export async function checkVariation(
  tx: Writer,
  { keys, mode }: VariedConfig,
  before: References,
  body: VariationPatch,
): Promise<VariationCheck> {
  const { projectKey } = keys
  const { judgeConfiguration: { judges = [] } = {}, modelConfigKey } = body
  const replacement = await readTools(tx, projectKey, body)
  const requestedTools = replacement ?? []
  const toolKeys = requestedTools.map(({ key }) => ({ projectKey, toolKey: key }))
  const model = { projectKey, modelConfigKey: modelConfigKey ?? '' }
  const changesModel = modelConfigKey !== undefined && modelConfigKey !== before.modelConfigKey
  const judgeKeys = judges.map(({ judgeConfigKey }) => ({ projectKey, configKey: judgeConfigKey }))
  const [tools, revisions, judging, modelConfig, otherErrors] = await Promise.all([
    tx.getMany(aiTools, toolKeys),
    tx.getMany(
      aiToolRevisions,
      requestedTools.map(({ key, version }) => ({ projectKey, toolKey: key, revision: String(version) })),
    ),
    tx.getMany(aiConfigs, judgeKeys),
    changesModel ? tx.get(aiModelConfigs, model) : undefined,
    checkTexts(tx, projectKey, body),
  ])

  const errors: ValidationError[] = []
  const addError = (attribute: string, reason: string) => errors.push({ attribute, reason })
  if (body.instructions !== undefined && mode !== 'agent') {
    addError('instructions', 'must be left out, except in a config of mode agent')
  }
  for (const [i, tool] of tools.entries()) {
    const attribute = requestedTools[i]?.attribute ?? ''
    if (!tool) addError(`${attribute}.key`, 'must be the key of a tool of the project')
    else if (!revisions[i]) addError(`${attribute}.version`, 'must be a version of the tool')
  }
  for (const [i, judge] of judging.entries()) {
    const reason = judgeError(keys, judge)
    if (reason) addError(`judgeConfiguration.judges.${i}.judgeConfigKey`, reason)
  }
  if (changesModel && !modelConfig) addError('modelConfigKey', 'must be the key of a model config of the project')
  if (modelConfig?.restricted) addError('modelConfigKey', 'must not be the key of a restricted model config')

  errors.push(...otherErrors)

  return {
    errors,
    tools: replacement?.map(({ key, version, customParameters }, i) => ({
      key,
      version,
      customParameters: customParameters ?? revisions[i]?.customParameters ?? {},
    })),
    requireUnchanged() {
      for (const [i, tool] of tools.entries()) {
        const isReferenced = before.tools.some(({ key }) => key === tool?.key)
        if (tool && !isReferenced) lock(tx, aiTools, toolKeys[i] as (typeof toolKeys)[number], tool)
      }
      for (const [i, judge] of judging.entries()) {
        const isReferenced = before.judges.some(({ judgeConfigKey }) => judgeConfigKey === judge?.key)
        if (judge && !isReferenced) lock(tx, aiConfigs, judgeKeys[i] as (typeof judgeKeys)[number], judge)
      }
      if (modelConfig) lock(tx, aiModelConfigs, model, modelConfig)
    },
  }
}

type RequestedTool = NonNullable<VariationPatch['tools']>[number] & { readonly attribute: string }

/**
 * Returns the tools of a body: first the tools with a version, then the tools without one, which get their latest
 * version. Undefined when the body does not change the tools.
 */
async function readTools(
  tx: Writer,
  projectKey: string,
  { tools, toolKeys }: VariationPatch,
): Promise<readonly RequestedTool[] | undefined> {
  const requestedVersions = tools?.map((tool, index) => ({ ...tool, attribute: `tools.${index}` }))
  if (!toolKeys) return requestedVersions
  const latest = await tx.getMany(
    aiTools,
    toolKeys.map((toolKey) => ({ projectKey, toolKey })),
  )
  const byKey = toolKeys.map((key, index) => ({
    key,
    version: latest[index]?.revision ?? 0,
    attribute: `toolKeys.${index}`,
  }))
  return [...(requestedVersions ?? []), ...byKey.filter(({ key }) => !tools?.some((tool) => tool.key === key))]
}

function judgeError({ configKey }: AIConfigKeys, judge: AIConfig | undefined): string | undefined {
  if (judge?.mode !== 'judge') return 'must be the key of a config of mode judge of the project'
  return judge.key === configKey ? 'must not be the key of the config itself' : undefined
}

/** References of a variation that does not exist yet. */
export const noReferences: References = { tools: [], judges: [] }
