import { deleteCard } from '../../operation/cards/delete-card.ts'
import { promptSnippets } from './prompt-snippet.ts'

export const deletePromptSnippet = deleteCard(promptSnippets, {
  id: 'deletePromptSnippet',
  summary: 'Delete a prompt snippet with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  access: { action: 'deletePromptSnippet', resource: 'proj/{projectKey}:prompt-snippet/{snippetKey}' },
  contents: true,
})
