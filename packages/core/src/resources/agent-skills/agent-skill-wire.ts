import * as v from 'valibot'
import type { ReadContext } from '../../operation/context.ts'
import { path } from '../../operation/link.ts'
import {
  agentTextChange,
  agentTextRequest,
  agentTextWire,
  content,
  presentAgentText,
} from '../agent-texts/agent-text-wire.ts'
import { type AgentSkill, agentSkills } from './agent-skill.ts'

export const agentSkillRequest = v.strictObject({ ...agentTextRequest, markdown: content() })

export const agentSkillChange = v.strictObject({ ...agentTextChange, markdown: v.optional(content()) })

export const agentSkillWire = v.object({ ...agentTextWire, markdown: v.string() })

/** Shows an agent skill, or one of its earlier revisions. */
export async function presentAgentSkill(
  context: ReadContext,
  agentSkill: AgentSkill,
  { projectKey, skillKey }: { readonly projectKey: string; readonly skillKey: string },
): Promise<v.InferOutput<typeof agentSkillWire>> {
  const parent = path`/api/v2/projects/${projectKey}/ai-configs/skills`
  const shown = await presentAgentText(context, agentSkills, agentSkill, { projectKey, skillKey }, parent)
  return { ...shown, markdown: agentSkill.markdown }
}
