import { promptSnippetRevisions, promptSnippets } from '../../models/prompt-snippets/prompt-snippet.ts'
import { updateOperation } from '../../operation/document-operations/update-operation.ts'
import { revisedAgentText } from '../agent-texts/revise-agent-text.ts'
import { undoRevised } from '../maintainers/undo-maintained.ts'
import { promptSnippetChange, promptSnippetResponse, serializePromptSnippet } from './prompt-snippet-schema.ts'

export const patchPromptSnippet = updateOperation(promptSnippets, {
  id: 'patchPromptSnippet',
  undo: undoRevised(promptSnippets, promptSnippetRevisions),
  method: 'PATCH',
  summary: 'Update a prompt snippet, which creates a new version',
  path: '/api/v2/projects/{projectKey}/ai-configs/prompt-snippets/{snippetKey}',
  shows: { action: 'viewProject', resource: 'proj/{projectKey}' },
  body: promptSnippetChange,
  change: (context, before, body, keys) =>
    revisedAgentText(context, { revisions: promptSnippetRevisions, keys }, before, body),
  response: promptSnippetResponse,
  serialize: serializePromptSnippet,
})
