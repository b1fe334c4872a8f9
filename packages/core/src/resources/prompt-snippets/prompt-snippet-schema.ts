import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { agentTextSchemas, agentTextSerializer } from '../agent-texts/agent-text-schema.ts'

export const {
  request: promptSnippetRequest,
  change: promptSnippetChange,
  response: promptSnippetResponse,
} = agentTextSchemas('text')

export const serializePromptSnippet = agentTextSerializer(promptSnippets, 'text', 'prompt-snippets')
