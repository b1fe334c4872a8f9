import type { AIConfigContents, AIConfigMode, AIConfigValue, AIMessage, AIModel, AISkill } from './ai-config-value.ts'
import { expandSnippets, type SnippetReference } from './snippet-references.ts'

/** The stored variation of an AI config. */
interface StoredVariation {
  readonly key: string
  readonly revision: number
  readonly state: 'archived' | 'published'
  readonly instructions?: string
  readonly messages?: readonly AIMessage[]
  readonly model: Readonly<Record<string, unknown>>
  readonly tools: readonly StoredToolUse[]
  readonly judges: readonly { readonly judgeConfigKey: string; readonly samplingRate: number }[]
}

interface StoredToolUse {
  readonly key: string
  readonly version: number
  readonly customParameters: Readonly<Record<string, unknown>>
}

/** The parts of an AI config that its variations have in common. */
interface StoredConfig {
  readonly mode: AIConfigMode
  readonly evaluationMetricKey?: string
  readonly evaluationMetricKeys: readonly string[]
}

/** The documents that a variation refers to. */
export interface VariationReferences {
  /** The model config of the variation; undefined when the variation names no model config. */
  readonly modelConfig?:
    | {
        readonly id: string
        readonly provider?: string
        readonly params: Readonly<Record<string, unknown>>
        readonly customParams: Readonly<Record<string, unknown>>
      }
    | undefined
  toolOf(key: string, version: number): StoredTool | undefined
  readonly skills: readonly AISkill[]
  snippetOf(reference: SnippetReference): string | undefined
}

interface StoredTool {
  readonly description: string
  readonly schema: Readonly<Record<string, unknown>>
}

/**
 * Returns the value that SDKs receive for a variation. The properties of the variation's own model take precedence over
 * those of its model config. Snippets are expanded. Variables are not, because their values depend on the context.
 */
export function servedVariation(
  { mode, evaluationMetricKey, evaluationMetricKeys }: StoredConfig,
  variation: StoredVariation,
  references: VariationReferences,
): AIConfigValue {
  const { key, revision, state, instructions, messages, judges } = variation
  const expand = (prompt: string) => expandSnippets(prompt, (reference) => references.snippetOf(reference))
  return {
    _ldMeta: { enabled: state === 'published', variationKey: key, version: revision, mode },
    ...modelOf(variation, references),
    ...(messages && { messages: messages.map(({ role, content }) => ({ role, content: expand(content) })) }),
    ...(instructions !== undefined && { instructions: expand(instructions) }),
    ...(references.skills.length > 0 && { skills: references.skills }),
    ...(judges.length > 0 && {
      judgeConfiguration: {
        judges: judges.map(({ judgeConfigKey, samplingRate }) => ({ key: judgeConfigKey, samplingRate })),
      },
    }),
    ...(mode === 'judge' && evaluationMetricKey !== undefined && { evaluationMetricKey, evaluationMetricKeys }),
  }
}

/**
 * Returns the model, its provider and its tools. SDKs pass the parameters of the model to the provider, tools included.
 */
function modelOf(
  { model: stored, tools: uses }: StoredVariation,
  { modelConfig, toolOf }: VariationReferences,
): Pick<AIConfigContents, 'model' | 'provider' | 'tools'> {
  const { modelName, name, provider, parameters, custom, ...others } = stored
  const tools = uses.flatMap(({ key, version, customParameters }) => {
    const tool = toolOf(key, version)
    return tool
      ? [
          {
            name: key,
            type: 'function',
            description: tool.description,
            parameters: tool.schema,
            customParameters,
          } as const,
        ]
      : []
  })
  const toolParameters = tools.map(({ customParameters: _, ...tool }) => tool)
  const model: AIModel = {
    ...others,
    name: firstText(modelName, name, modelConfig?.id) ?? '',
    ...nonEmpty('parameters', {
      ...modelConfig?.params,
      ...objectOf(parameters),
      ...(tools.length > 0 && { tools: toolParameters }),
    }),
    ...nonEmpty('custom', { ...modelConfig?.customParams, ...objectOf(custom) }),
  }
  const providerName = firstText(provider, objectOf(provider).name, modelConfig?.provider)
  return {
    ...((model.name !== '' || Object.keys(model).length > 1) && { model }),
    ...(providerName !== undefined && { provider: { name: providerName } }),
    ...(tools.length > 0 && { tools: Object.fromEntries(tools.map((tool) => [tool.name, tool])) }),
  }
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string')
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

function nonEmpty<K extends string>(key: K, value: Readonly<Record<string, unknown>>) {
  return (Object.keys(value).length > 0 ? { [key]: value } : {}) as { readonly [P in K]?: typeof value }
}
