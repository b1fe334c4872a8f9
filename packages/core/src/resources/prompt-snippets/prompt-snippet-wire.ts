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
import { type PromptSnippet, promptSnippets } from './prompt-snippet.ts'

export const promptSnippetRequest = v.strictObject({ ...agentTextRequest, text: content() })

export const promptSnippetChange = v.strictObject({ ...agentTextChange, text: v.optional(content()) })

export const promptSnippetWire = v.object({ ...agentTextWire, text: v.string() })

/** Shows a prompt snippet, or one of its earlier revisions. */
export async function presentPromptSnippet(
  context: ReadContext,
  promptSnippet: PromptSnippet,
  { projectKey, snippetKey }: { readonly projectKey: string; readonly snippetKey: string },
): Promise<v.InferOutput<typeof promptSnippetWire>> {
  const parent = path`/api/v2/projects/${projectKey}/ai-configs/prompt-snippets`
  const shown = await presentAgentText(context, promptSnippets, promptSnippet, { projectKey, snippetKey }, parent)
  return { ...shown, text: promptSnippet.text }
}
