import type { AIConfigMode, EvaluatedAIConfig } from '../../rules/ai-configs/ai-config-value.ts'
import { type EvaluatedAgentGraph, evaluateAgentGraph } from '../../rules/ai-configs/evaluate-agent-graph.ts'
import { type AIConfigQuery, evaluateAIConfig } from '../../rules/ai-configs/evaluate-ai-config.ts'
import type { EvaluationResult } from '../../rules/evaluation/index.ts'
import type { ServedContent } from '../evaluation/served-content.ts'
import { aiContent } from './ai-content.ts'

/** The part of an engine that serves AI configs and agent graphs. */
export interface AIEvaluation {
  /** Reads the AI configs and agent graphs for evaluators. */
  readonly content: ServedContent
  config(mode: AIConfigMode, evaluation: EvaluationResult, query: AIConfigQuery): EvaluatedAIConfig
  /**
   * Returns an agent graph with the variations of its agents.
   *
   * @param evaluate evaluates the graph, and the AI configs of its agents, as flags for the same context.
   */
  graph(query: Omit<AIConfigQuery, 'fallback'>, evaluate: (key: string) => EvaluationResult): EvaluatedAgentGraph
}

/** Serves AI configs and agent graphs to `aiConfig` and related methods, and to SDKs. */
export const aiEvaluation: AIEvaluation = {
  content: aiContent,
  config: evaluateAIConfig,
  graph: ({ key, ...query }, evaluate) =>
    evaluateAgentGraph(key, evaluate(key), (configKey) =>
      evaluateAIConfig('agent', evaluate(configKey), { ...query, key: configKey, fallback: {} }),
    ),
}
