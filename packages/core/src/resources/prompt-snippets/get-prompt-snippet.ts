import { getCard } from '../../operation/cards/get-card.ts'
import { promptSnippets } from './prompt-snippet.ts'
import { presentPromptSnippet, promptSnippetWire } from './prompt-snippet-wire.ts'

export const getPromptSnippet = getCard(promptSnippets, {
  id: 'getPromptSnippet',
  summary: 'Fetch the newest version of a prompt snippet',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  answer: promptSnippetWire,
  present: presentPromptSnippet,
})
