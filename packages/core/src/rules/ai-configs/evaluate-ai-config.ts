import type { EvaluationContext, EvaluationReason, EvaluationResult } from '../evaluation/index.ts'
import type {
  AIConfigContents,
  AIConfigFallback,
  AIConfigMode,
  AIConfigValue,
  AIMessage,
  EvaluatedAIConfig,
} from './ai-config-value.ts'
import { renderPrompt } from './prompt-template.ts'

/** A request for an AI config. */
export interface AIConfigQuery {
  readonly key: string
  /** The context, which prompts can use as `ldctx`, e.g. `{{ldctx.name}}`. */
  readonly context: EvaluationContext
  readonly fallback: AIConfigFallback
  /** Variables of the prompts by name. */
  readonly variables: Readonly<Record<string, unknown>>
}

type Meta = Partial<AIConfigValue['_ldMeta']>

const wrongType: EvaluationReason = { kind: 'ERROR', errorKind: 'WRONG_TYPE' }

/**
 * Returns an AI config with its prompts interpolated, as the AI SDKs for the reference API compute it from the value of
 * the flag.
 *
 * @param mode the mode that the caller expects. A config of another mode is disabled and empty.
 * @param evaluation result of the evaluation of the config as a flag; without a value the fallback applies.
 */
export function evaluateAIConfig(
  mode: AIConfigMode,
  { value, reason }: EvaluationResult,
  { key, context, fallback, variables }: AIConfigQuery,
): EvaluatedAIConfig {
  const allVariables = { ...variables, ldctx: context }
  if (value === undefined) {
    return { key, enabled: fallback.enabled ?? false, ...contentsOf(mode, fallback, allVariables), reason }
  }
  if (typeof value !== 'object' || value === null) return { key, enabled: false, reason: wrongType }
  // The value is not always an AI config, because the key can be the key of a flag.
  const { _ldMeta, ...stored } = value as Partial<AIConfigValue>
  const { enabled = false, mode: storedMode = 'completion', variationKey, version }: Meta = _ldMeta ?? {}
  if (storedMode !== mode) return { key, enabled: false, reason: wrongType }
  return {
    key,
    enabled,
    ...(variationKey !== undefined && { variationKey }),
    ...(version !== undefined && { version }),
    ...contentsOf(mode, stored, allVariables),
    reason,
  }
}

/** Returns the properties that a config of a mode has, with interpolated prompts. */
function contentsOf(
  mode: AIConfigMode,
  { model, provider, messages, instructions, tools, skills, judgeConfiguration, evaluationMetricKey }: AIConfigContents,
  variables: Readonly<Record<string, unknown>>,
): AIConfigContents {
  const render = (message: AIMessage) => ({ ...message, content: renderPrompt(message.content, variables) })
  return {
    ...(model && { model }),
    ...(provider && { provider }),
    ...(mode !== 'agent' && messages && { messages: messages.map(render) }),
    ...(mode === 'agent' && instructions !== undefined && { instructions: renderPrompt(instructions, variables) }),
    ...(tools && { tools }),
    ...(skills && { skills }),
    ...(mode !== 'judge' && judgeConfiguration && { judgeConfiguration }),
    ...(mode === 'judge' && evaluationMetricKey !== undefined && { evaluationMetricKey }),
  }
}
