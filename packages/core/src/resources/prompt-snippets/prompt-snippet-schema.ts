import { agentTextPresenter, agentTextSchemas } from '../agent-texts/agent-text-schema.ts'
import { promptSnippets } from './prompt-snippet.ts'

export const {
  request: promptSnippetRequest,
  change: promptSnippetChange,
  response: promptSnippetResponse,
} = agentTextSchemas('text')

export const serializePromptSnippet = agentTextPresenter(promptSnippets, 'text', 'prompt-snippets')
