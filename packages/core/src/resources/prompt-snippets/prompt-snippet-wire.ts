import { agentTextPresenter, agentTextSchemas } from '../agent-texts/agent-text-wire.ts'
import { promptSnippets } from './prompt-snippet.ts'

export const {
  request: promptSnippetRequest,
  change: promptSnippetChange,
  response: promptSnippetWire,
} = agentTextSchemas('text')

export const presentPromptSnippet = agentTextPresenter(promptSnippets, 'text', 'prompt-snippets')
