import * as v from 'valibot'
import { promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { detachQuery } from '../../operation/detach-query.ts'
import { deleteOperation } from '../../operation/document-operations/delete-operation.ts'

export const deletePromptSnippet = deleteOperation(promptSnippets, {
  id: 'deletePromptSnippet',
  summary: 'Delete a prompt snippet that no variation of an AI config uses, with all its versions',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  access: { action: 'deletePromptSnippet', resource: 'proj/{projectKey}:prompt-snippet/{snippetKey}' },
  contents: true,
  query: v.object(detachQuery),
})
