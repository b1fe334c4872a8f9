import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { agentTextPresenter, agentTextSchemas } from '../agent-texts/agent-text-schema.ts'

export const {
  request: promptSnippetRequest,
  change: promptSnippetChange,
  response: promptSnippetResponse,
} = agentTextSchemas('text')

export const serializePromptSnippet = agentTextPresenter(promptSnippets, 'text', 'prompt-snippets')
