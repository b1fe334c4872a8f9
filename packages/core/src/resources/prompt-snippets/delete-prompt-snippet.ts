import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'
import { promptSnippets } from './prompt-snippet.ts'

export const deletePromptSnippet = deleteOperation(promptSnippets, {
  id: 'deletePromptSnippet',
  summary: 'Delete a prompt snippet with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  access: { action: 'deletePromptSnippet', resource: 'proj/{projectKey}:prompt-snippet/{snippetKey}' },
  contents: true,
})
