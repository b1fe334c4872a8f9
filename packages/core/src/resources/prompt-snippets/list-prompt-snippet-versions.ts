import { promptSnippetRevisions, promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { listOperation } from '../../operation/document-operations/list-operation.ts'
import { newestRevisionFirst } from '../../storage/revisions.ts'
import { promptSnippetResponse, serializePromptSnippet } from './prompt-snippet-schema.ts'

export const listPromptSnippetVersions = listOperation(promptSnippetRevisions, {
  id: 'listPromptSnippetVersions',
  summary: 'List the versions of a prompt snippet, newest first',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}/versions',
  access: { action: 'viewProject', resource: 'proj/{projectKey}' },
  within: promptSnippets,
  select: newestRevisionFirst,
  response: promptSnippetResponse,
  serialize: serializePromptSnippet,
})
